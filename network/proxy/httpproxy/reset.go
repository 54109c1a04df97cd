package httpproxy

import (
	"net/http"

	"github.com/brunt-go/brunt/judge/ledger"
)

// Reset cuts the caller's connection with a TCP reset as soon as the request has
// arrived. The upstream is not asked.
type Reset struct{}

var _ Fault = (*Reset)(nil)

// Kind implements Fault.
func (*Reset) Kind() string { return "reset" }

// Check implements Fault.
func (*Reset) Check() error { return nil }

// Apply implements Fault.
func (*Reset) Apply(*Exchange, Next) (*http.Response, error) { return nil, ErrReset }

// Witnessed implements Fault: the connection was cut with nothing sent.
func (*Reset) Witnessed(seen ledger.Exchange) bool {
	return seen.Status == 0 && seen.End == ledger.EndBroken
}

// UnmarshalJSON reads true.
func (*Reset) UnmarshalJSON(data []byte) error { return unmarshalSwitch(data, &struct{}{}) }
