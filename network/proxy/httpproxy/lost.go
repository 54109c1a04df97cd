package httpproxy

import (
	"fmt"
	"io"
	"net/http"

	"github.com/brunt-go/brunt/judge/ledger"
)

// Lost asks the upstream, waits for its whole answer and throws it away: what
// the request does has been done, and its caller is not told.
type Lost struct {
	// Then is what the caller sees: ThenReset or ThenHang. Default: ThenReset.
	Then string `json:"then,omitempty"`
}

// The values of Lost.Then.
const (
	// ThenReset cuts the caller's connection with a TCP reset.
	ThenReset = "reset"
	// ThenHang keeps it open and silent until the caller gives up.
	ThenHang = "hang"
)

var (
	_ Fault  = (*Lost)(nil)
	_ Holder = (*Lost)(nil)
)

// Kind implements Fault.
func (*Lost) Kind() string { return "lost" }

// Holds implements Holder.
func (f *Lost) Holds() bool { return f.Then == ThenHang }

// Check implements Fault.
func (f *Lost) Check() error {
	switch f.Then {
	case "", ThenReset, ThenHang:
		return nil
	}
	return fmt.Errorf("then %q, want reset or hang", f.Then)
}

// Apply implements Fault.
func (f *Lost) Apply(x *Exchange, next Next) (*http.Response, error) {
	resp, err := next()
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	if f.Then == ThenHang {
		if err := x.HoldForever(); err != nil {
			return nil, err
		}
	}
	// The answer is gone, so even a removed fault can only end this way.
	return nil, ErrReset
}

// Witnessed implements Fault: the upstream answered and the caller got nothing.
func (f *Lost) Witnessed(seen ledger.Exchange) bool {
	return seen.Status == 0 && seen.Upstream != 0 && seen.End != ledger.EndFailed
}

// UnmarshalJSON reads true, or {"then":"hang"}.
func (f *Lost) UnmarshalJSON(data []byte) error {
	type settings Lost
	return unmarshalSwitch(data, (*settings)(f))
}
