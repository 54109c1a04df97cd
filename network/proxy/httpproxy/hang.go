package httpproxy

import (
	"io"
	"net/http"

	"github.com/brunt-go/brunt/judge/ledger"
)

// Hang never answers: the upstream is not asked, the connection stays open and
// silent until the caller gives up. When the fault is removed, the requests that
// still hang go on to the upstream.
type Hang struct{}

var (
	_ Fault  = (*Hang)(nil)
	_ Holder = (*Hang)(nil)
)

// Kind implements Fault.
func (*Hang) Kind() string { return "hang" }

// Holds implements Holder.
func (*Hang) Holds() bool { return true }

// Check implements Fault.
func (*Hang) Check() error { return nil }

// Apply implements Fault.
func (*Hang) Apply(x *Exchange, next Next) (*http.Response, error) {
	// While a body is unread, the server does not see its caller go away. A
	// small one is kept, so that the request can still go on.
	if err := bufferBody(x.Request); err != nil {
		return nil, err
	}
	if err := x.HoldForever(); err != nil {
		return nil, err
	}
	return next()
}

// Witnessed implements Fault: nothing was ever sent.
func (*Hang) Witnessed(seen ledger.Exchange) bool {
	return seen.FirstByte == 0 && seen.Status == 0 && seen.End != ledger.EndFailed
}

// UnmarshalJSON reads true.
func (*Hang) UnmarshalJSON(data []byte) error { return unmarshalSwitch(data, &struct{}{}) }

// bufferBody reads the whole of a request's body into memory.
func bufferBody(r *http.Request) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBuffered+1))
	if err != nil {
		return err
	}
	if len(data) > maxBuffered {
		// The rest stays in the connection: this caller is noticed when it
		// stops sending.
		r.Body = &joinedBody{data: data, rest: r.Body}
		return nil
	}
	r.Body.Close()
	r.Body = &joinedBody{data: data, rest: http.NoBody}
	return nil
}

// maxBuffered is how much of a hanging request's body is kept, in bytes.
const maxBuffered = 1 << 20

// joinedBody is data, then rest.
type joinedBody struct {
	data []byte
	rest io.ReadCloser
}

func (b *joinedBody) Read(p []byte) (int, error) {
	if len(b.data) > 0 {
		n := copy(p, b.data)
		b.data = b.data[n:]
		return n, nil
	}
	return b.rest.Read(p)
}

func (b *joinedBody) Close() error { return b.rest.Close() }
