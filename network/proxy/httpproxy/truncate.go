package httpproxy

import (
	"fmt"
	"io"
	"net/http"

	"github.com/brunt-go/brunt/judge/ledger"
)

// Truncate passes the answer's header and the first bytes of its body, then cuts
// the connection. An answer that is no longer than that passes whole, and the
// ledger shows that the fault did not happen.
type Truncate struct {
	// AfterBytes is how much of the body passes. Must be >= 1. Default: 1.
	AfterBytes int64 `json:"after_bytes"`
}

var _ Fault = (*Truncate)(nil)

// Kind implements Fault.
func (*Truncate) Kind() string { return "truncate" }

// Check implements Fault.
func (f *Truncate) Check() error {
	if f.AfterBytes < 1 {
		return fmt.Errorf("after_bytes %d: must be >= 1", f.AfterBytes)
	}
	return nil
}

// Apply implements Fault.
func (f *Truncate) Apply(_ *Exchange, next Next) (*http.Response, error) {
	resp, err := next()
	if err == nil {
		resp.Body = &cutBody{ReadCloser: resp.Body, left: f.AfterBytes}
	}
	return resp, err
}

// Witnessed implements Fault: some of the answer was sent, then the connection
// was cut.
func (f *Truncate) Witnessed(seen ledger.Exchange) bool {
	return seen.Status != 0 && seen.End == ledger.EndBroken && seen.Bytes == f.AfterBytes
}

// UnmarshalJSON reads true, or {"after_bytes":200}.
func (f *Truncate) UnmarshalJSON(data []byte) error {
	type settings Truncate
	f.AfterBytes = 1
	return unmarshalSwitch(data, (*settings)(f))
}

// cutBody ends with ErrReset once its first bytes are read and more would follow.
type cutBody struct {
	io.ReadCloser
	left int64
}

func (b *cutBody) Read(p []byte) (int, error) {
	if b.left > 0 {
		n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
		b.left -= int64(n)
		return n, err
	}
	// Only an answer that goes on can be cut: one more byte tells.
	if n, err := b.ReadCloser.Read(make([]byte, 1)); n == 0 && err != nil {
		return 0, err
	}
	return 0, ErrReset
}
