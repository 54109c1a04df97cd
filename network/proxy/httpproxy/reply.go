package httpproxy

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/brunt-go/brunt/judge/ledger"
)

// Reply answers in the upstream's place.
type Reply struct {
	// Status is the answer's status, from 200 to 599. Required.
	Status int `json:"status"`
	// Header is added to the answer's header.
	Header map[string]string `json:"headers,omitempty"`
	// Body is the answer's body. Default: none.
	Body string `json:"body,omitempty"`
	// Upstream says whether the upstream is asked first: UpstreamAsk lets the
	// reply take as long as the answer it replaces, UpstreamSkip answers at
	// once. Default: ask for methods that change nothing (RFC 9110 calls them
	// safe: GET, HEAD, OPTIONS, TRACE), skip for all others, so that a reply
	// that says a request failed tells the truth. Lost is the fault for a
	// request that took effect while its caller is told nothing.
	Upstream string `json:"upstream,omitempty"`
}

// The values of Reply.Upstream.
const (
	UpstreamAsk  = "ask"
	UpstreamSkip = "skip"
)

var _ Fault = (*Reply)(nil)

// Kind implements Fault.
func (*Reply) Kind() string { return "reply" }

// Check implements Fault.
func (f *Reply) Check() error {
	if f.Status < 200 || f.Status > 599 {
		return fmt.Errorf("status %d, want one from 200 to 599", f.Status)
	}
	switch f.Upstream {
	case "", UpstreamAsk, UpstreamSkip:
	default:
		return fmt.Errorf("upstream %q, want ask or skip", f.Upstream)
	}
	for name, value := range f.Header {
		if name == "" || strings.ContainsAny(name, " \t\r\n:") || strings.ContainsAny(value, "\r\n") {
			return fmt.Errorf("header %q: %q is not a header field", name, value)
		}
	}
	return nil
}

// Apply implements Fault.
func (f *Reply) Apply(x *Exchange, next Next) (*http.Response, error) {
	if f.asks(x.Request.Method) {
		resp, err := next()
		if err != nil && x.Request.Context().Err() != nil {
			return nil, err
		}
		if err == nil {
			resp.Body.Close()
		}
	}
	header := http.Header{}
	for name, value := range f.Header {
		header.Set(name, value)
	}
	header.Set("Content-Length", strconv.Itoa(len(f.Body)))
	return &http.Response{
		StatusCode:    f.Status,
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		Body:          io.NopCloser(strings.NewReader(f.Body)),
		ContentLength: int64(len(f.Body)),
		Request:       x.Request,
	}, nil
}

// asks reports whether the upstream is asked before a request of the method is
// answered in its place.
func (f *Reply) asks(method string) bool {
	if f.Upstream != "" {
		return f.Upstream == UpstreamAsk
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}

// Witnessed implements Fault: the caller got this status and the upstream had
// not given it, or the caller went away first. Where the upstream gave the same
// status, the length of the body tells.
func (f *Reply) Witnessed(seen ledger.Exchange) bool {
	replaced := seen.Upstream != f.Status || f.Body != "" && seen.Bytes == int64(len(f.Body))
	return seen.Status == f.Status && replaced || seen.Status == 0 && seen.End == ledger.EndAbandoned
}

// UnmarshalJSON reads {"status":503,"headers":{},"body":"","upstream":"skip"}.
func (f *Reply) UnmarshalJSON(data []byte) error {
	type settings Reply
	return unmarshalStrict(data, (*settings)(f))
}
