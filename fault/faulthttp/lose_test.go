package faulthttp_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fit"
)

// X4: an answer that never ends is lost all the same, and so is a connection
// that became something else.
func TestTransport_losesAStream(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]time.Duration{http.StatusOK: 10 * time.Second, http.StatusSwitchingProtocols: 0} {
		synctest.Test(t, func(t *testing.T) {
			req, err := http.NewRequestWithContext(carrying(t, t.Context(), point, fit.Fault{Lost: true}), http.MethodGet, target, nil)
			if err != nil {
				t.Fatal(err)
			}
			answer := &body{}
			base := trip(func(req *http.Request) (*http.Response, error) {
				answer.Reader = endless{req.Context()}
				return &http.Response{StatusCode: status, Header: http.Header{}, Body: answer, Request: req}, nil
			})
			start := time.Now()
			_, err = faulthttp.NewTransport(base, injector(t)).RoundTrip(req)
			if took := time.Since(start); !errors.Is(err, fit.ErrLost) || took != want {
				t.Errorf("%d: err = %v after %v, want a loss after %v", status, err, took, want)
			}
			if answer.closed != 1 {
				t.Errorf("%d: the answer's body was closed %d times", status, answer.closed)
			}
		})
	}
}

type trip func(*http.Request) (*http.Response, error)

func (f trip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// endless is the body of a stream without events, which the end of its request
// ends.
type endless struct{ ctx context.Context }

func (e endless) Read([]byte) (int, error) {
	<-e.ctx.Done()
	return 0, e.ctx.Err()
}
