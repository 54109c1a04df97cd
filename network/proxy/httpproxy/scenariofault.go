package httpproxy

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/judge/ledger"
)

// faults are what f comes to on the wire, in f's order: the delay is over before
// anything is sent; a reply counts before an abort, and an abort before a lost
// answer. A reply that HTTP can't give is an abort.
func (s *scenarios) faults(f fit.Fault) (list []Fault) {
	if d := min(f.Delay, s.maxDelay); d > 0 {
		list = append(list, wait(d))
	}
	switch {
	case f.Reply.Status != 0:
		list = append(list, scenarioReply(f.Reply))
	case f.Abort || !f.Reply.IsZero():
		list = append(list, &Reset{})
	case f.Lost:
		list = append(list, &Lost{})
	}
	return list
}

// scenarioReply answers at once, as a client that meets the same scenario does.
func scenarioReply(r fit.Reply) *Reply {
	reply := &Reply{Status: r.Status, Upstream: UpstreamSkip}
	if r.Status == http.StatusNoContent || r.Status == http.StatusNotModified || r.Body == "" {
		return reply
	}
	reply.Body, reply.Header = r.Body, map[string]string{"Content-Type": contentType(r.Body)}
	return reply
}

func contentType(body string) string {
	if json.Valid([]byte(body)) {
		return "application/json"
	}
	return http.DetectContentType([]byte(body))
}

// wait is the delay of a scenario: unlike Delay it comes before the upstream is
// asked, as it does in a client.
type wait time.Duration

var (
	_ Fault  = wait(0)
	_ Holder = wait(0)
)

func (wait) Kind() string { return "delay" }
func (wait) Check() error { return nil }
func (wait) Holds() bool  { return true }

func (w wait) Apply(x *Exchange, next Next) (*http.Response, error) {
	// While a body is unread, the server does not see its caller go away.
	if err := bufferBody(x.Request); err != nil {
		return nil, err
	}
	if err := x.HoldFor(time.Duration(w)); err != nil {
		return nil, err
	}
	return next()
}

func (w wait) Witnessed(seen ledger.Exchange) bool {
	return seen.Took >= time.Duration(w) || seen.End == ledger.EndAbandoned
}
