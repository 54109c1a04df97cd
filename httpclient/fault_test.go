package httpclient_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/retry"
)

const injected = "github.com/brunt-go/brunt/fault.InjectedError"

// An aborted GET is tried as often as a service that is down, and none of it gets there.
// R66, R77, R78, R79, R80, R83, R84, R90, R91, R92, R94, R95, R186.
func TestClient_abort(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		_, err := r.get(abort())
		var ue *url.Error
		var ie *fault.InjectedError
		if !errors.As(err, &ue) || !errors.As(err, &ie) || ie.Point != point || !errors.Is(err, fit.ErrInjected) {
			t.Fatalf("err = %v, want a url.Error around the abort", err)
		}
		if want := `Get "/charge": payments:8443: fit: injected failure at http:payments:8443`; err.Error() != want {
			t.Errorf("err = %q, want %q", err, want)
		}
		if n := len(r.requests()); n != 0 {
			t.Errorf("%d requests reached payments", n)
		}
		spans := r.attempts()
		if len(spans) != 3 {
			t.Fatalf("%d attempts, want 3", len(spans))
		}
		for i, s := range spans {
			if s.Attribute("error.type") != injected || len(s.EventsNamed("brunt.fit.evaluation")) != 1 {
				t.Errorf("attempt %d: %v %v", i+1, s.Attributes(), s.Events())
			}
			if want := []string{"", "1", "2"}[i]; s.Attribute("http.request.resend_count") != want {
				t.Errorf("attempt %d is resend %q", i+1, s.Attribute("http.request.resend_count"))
			}
		}
		if n := r.tel.Count("http.client.request.duration", attribute.String("error.type", injected)); n != 3 {
			t.Errorf("http.client.request.duration counts %d, want 3", n)
		}
		if r.decisions("retry") != 2 || r.decisions("exhausted") != 1 || r.calls("failure") != 3 {
			t.Errorf("%v retries, %v exhausted, %v failures", r.decisions("retry"), r.decisions("exhausted"), r.calls("failure"))
		}
		call := r.tel.SpansNamed("call")[0]
		var told []string
		for _, e := range call.EventsNamed("brunt.retry.decision") {
			told = append(told, e.Attribute("brunt.retry.attempt")+" "+e.Attribute("brunt.retry.decision"))
		}
		if want := []string{"1 retry", "2 retry", "3 exhausted"}; !slices.Equal(told, want) {
			t.Errorf("the call's span tells %q, want %q", told, want)
		}
	})
}

// Five aborted attempts in a row open the breaker for everybody, until it probes. What it
// rejects evaluates nothing. R66, R81, R82.
func TestClient_abortOpensBreaker(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		for range 2 { // 3 attempts, and 2 before the third finds it open
			if _, err := r.get(abort()); err == nil {
				t.Fatal("an aborted call succeeds")
			}
		}
		if n := len(r.attempts()); n != 5 {
			t.Errorf("%d attempts, want 5", n)
		}
		evaluated := len(r.tel.EventsNamed("brunt.fit.evaluation"))
		for _, rules := range [][]fit.Rule{nil, {spare()}, {abort()}} {
			if _, err := r.get(rules...); !errors.Is(err, circuit.ErrRejected) {
				t.Errorf("err = %v, want a rejection", err)
			}
		}
		if n := len(r.tel.EventsNamed("brunt.fit.evaluation")); n != evaluated || len(r.attempts()) != 5 {
			t.Errorf("%d evaluations and %d attempts, want no more than before: %d and 5", n, len(r.attempts()), evaluated)
		}
		if n := len(r.tel.EventsNamed("brunt.circuit.rejected")); n != 4 || r.calls("rejected") != 4 {
			t.Errorf("%d events and %v calls rejected, want 4: one of the second call", n, r.calls("rejected"))
		}
		if e := r.tel.EventsNamed("brunt.circuit.rejected")[0]; e.Attribute("brunt.retry.attempt") != "3" || e.Attribute("brunt.circuit.state") != "open" {
			t.Errorf("the second call's rejection says %v", e.Attributes)
		}
		time.Sleep(5 * second)
		if status, err := r.get(); status != http.StatusOK {
			t.Errorf("the probe: %d, %v", status, err)
		}
		if logs := r.tel.Logs(); len(logs) != 3 || logs[0].Message != "circuit breaker open" || logs[0].Attribute("server.address") != "payments" {
			t.Errorf("logs %+v", logs)
		}
	})
}

// The retries of faults draw on the budget that everybody's retries draw on. R82, D3.
func TestClient_budget(t *testing.T) {
	t.Parallel()
	story(t, nil, func(s *httpclient.Settings) { s.Breaker = false; s.RetryBudget.Start, s.RetryBudget.Deposit = 3, 0 },
		func(t *testing.T, r *rig) {
			for range 3 {
				if _, err := r.get(abort()); !errors.Is(err, fit.ErrInjected) {
					t.Errorf("err = %v, want the attempt's own", err)
				}
			}
			if n := len(r.attempts()); n != 3+2+1 {
				t.Errorf("%d attempts, want 3, 2 and 1", n)
			}
			if r.decisions("over_budget") != 2 || r.decisions("exhausted") != 1 {
				t.Errorf("%v over budget, %v exhausted", r.decisions("over_budget"), r.decisions("exhausted"))
			}
		})
}

// A delay is in the attempt's span and duration, and then the call goes on. R75, R93, R96.
func TestClient_delay(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		start := time.Now()
		status, err := r.get(delay(second))
		if status != http.StatusOK || time.Since(start) != second {
			t.Errorf("%d, %v after %v, want 200 after 1s", status, err, time.Since(start))
		}
		if spans := r.attempts(); len(spans) != 1 || spans[0].Duration() != second {
			t.Errorf("%d attempts", len(spans))
		}
		if sum := r.tel.Sum("http.client.request.duration"); sum != 1 {
			t.Errorf("http.client.request.duration is %v, want 1", sum)
		}
		if got := r.requests()[0].Get("X-Envoy-Expected-Rq-Timeout-Ms"); got != "4000" {
			t.Errorf("payments is told %q ms, want 4000: a second is gone", got)
		}
	})
}

// An 8 s delay is cut by AttemptTimeout at 5 s, retried, cut again, and cut by Timeout at
// 15 s in the third attempt. The caller gets net/http's error. R76, R97, R98, D1.
func TestClient_delayUntilTimeout(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		start := time.Now()
		_, err := r.get(delay(8 * second))
		if took := time.Since(start); took != 15*second {
			t.Errorf("ended after %v, want 15s", took)
		}
		var ie *fault.InjectedError
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fit.ErrInjected) || errors.As(err, &ie) ||
			!strings.HasSuffix(err.Error(), "(Client.Timeout exceeded while awaiting headers)") {
			t.Errorf("err = %v, want net/http's timeout error", err)
		}
		var ue *url.Error
		if !errors.As(err, &ue) || !ue.Timeout() {
			t.Errorf("err = %#v, want a url.Error that is a timeout", err)
		}
		spans := r.attempts()
		if len(spans) != 3 || r.calls("failure") != 3 || r.decisions("retry") != 2 || r.decisions("expired") != 1 {
			t.Fatalf("%d attempts, %v failures, %v retries, %v expired, want 3, 3, 2, 1", len(spans), r.calls("failure"), r.decisions("retry"), r.decisions("expired"))
		}
		for i, s := range spans {
			if s.Attribute("error.type") != injected || len(s.EventsNamed("brunt.fit.evaluation")) != 1 || s.Duration() != 5*second {
				t.Errorf("attempt %d: %v %v %v", i+1, s.Duration(), s.Attributes(), s.Events())
			}
		}
		if n := len(r.requests()); n != 0 {
			t.Errorf("%d requests reached payments", n)
		}
	})
}

// With the defaults' backoff the same call ends at the same moment, every time. R97, D1.
func TestClient_delayUntilTimeoutBackoff(t *testing.T) {
	t.Parallel()
	story(t, nil, func(s *httpclient.Settings) {
		s.BackoffBase, s.Breaker, s.RetryBudget.Start = httpclient.DefaultSettings().BackoffBase, false, 100
	}, func(t *testing.T, r *rig) {
		for range 20 { // the error must not depend on which of two timers is first
			start := time.Now()
			_, err := r.get(delay(8 * second))
			var ie *fault.InjectedError
			if took := time.Since(start); took != 15*second || errors.As(err, &ie) || !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("%v after %v", err, took)
			}
		}
	})
}

// Cut by AttemptTimeout alone, the error is the fault's, and a timeout. R77, R99.
func TestClient_delayCut(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name    string
		caller  time.Duration // the caller's own deadline
		attempt time.Duration
		took    time.Duration
		spans   int
	}{
		{"by_attempt_timeout", 0, 5 * second, 10 * second, 2},
		{"by_the_callers_deadline", 3 * second, 5 * second, 3 * second, 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			story(t, nil, func(s *httpclient.Settings) { s.MaxAttempts, s.AttemptTimeout = 2, row.attempt }, func(t *testing.T, r *rig) {
				ctx, end := r.carrying(delay(8 * second))
				defer end()
				if row.caller > 0 {
					limited, cancel := context.WithTimeout(ctx, row.caller)
					defer cancel()
					ctx = limited
				}
				start := time.Now()
				_, _, err := r.do(ctx, http.MethodGet, "/charge", nil)
				var ie *fault.InjectedError
				if !errors.As(err, &ie) || !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fit.ErrInjected) {
					t.Errorf("err = %v, want a delay cut short", err)
				}
				var ue *url.Error
				if !errors.As(err, &ue) || !ue.Timeout() || time.Since(start) != row.took || len(r.attempts()) != row.spans {
					t.Errorf("%v after %v and %d attempts", err, time.Since(start), len(r.attempts()))
				}
				if r.calls("failure") != float64(row.spans) {
					t.Errorf("%v failures", r.calls("failure"))
				}
			})
		})
	}
}

// A caller who goes away is not the service's failure. D2, R76.
func TestClient_cancelled(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		ctx, end := r.carrying(delay(4 * second))
		defer end()
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(second, cancel)
		_, _, err := r.do(ctx, http.MethodGet, "/charge", nil)
		if !errors.Is(err, context.Canceled) || r.calls("ignored") != 1 || r.calls("failure") != 0 || r.decisions("expired") != 1 {
			t.Errorf("%v; %v ignored, %v failures, %v expired", err, r.calls("ignored"), r.calls("failure"), r.decisions("expired"))
		}
	})
}

// A call whose time was over before it began says nothing of the service. D2.
func TestClient_late(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		ctx, cancel := context.WithDeadline(t.Context(), time.Now())
		defer cancel()
		for range 6 {
			if _, _, err := r.do(ctx, http.MethodGet, "/charge", nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("err = %v", err)
			}
		}
		if r.calls("ignored") != 6 || r.decisions("expired") != 6 {
			t.Errorf("%v ignored, %v expired, want 6", r.calls("ignored"), r.decisions("expired"))
		}
		if status, err := r.get(); status != 200 {
			t.Errorf("the next call: %d, %v", status, err)
		}
	})
}

// A Classify may spare the breaker: one attempt a call, and it stays closed. R85, R100.
func TestClient_spare(t *testing.T) {
	t.Parallel()
	classify := httpclient.DefaultSettings().Classify
	spare := func(resp *http.Response, err error) httpclient.Classification {
		var ie *fault.InjectedError
		if errors.As(err, &ie) {
			return httpclient.Classification{Retry: retry.Stop, Breaker: circuit.Ignored}
		}
		return classify(resp, err)
	}
	story(t, nil, func(s *httpclient.Settings) { s.Classify = spare }, func(t *testing.T, r *rig) {
		for range 10 {
			if _, err := r.get(abort()); !errors.Is(err, fit.ErrInjected) {
				t.Errorf("err = %v", err)
			}
		}
		if status, err := r.get(); status != http.StatusOK {
			t.Errorf("a call without a scenario: %d, %v", status, err)
		}
		if n := len(r.attempts()); n != 11 || r.calls("ignored") != 10 || r.decisions("stop") != 11 {
			t.Errorf("%d attempts, %v ignored, %v stops, want 11, 10, 11", n, r.calls("ignored"), r.decisions("stop"))
		}
	})
}

// R98: an answer that stops half-way is ended by the http.Client's Timeout, and the error
// says so each time, not only when the Client's timer beats the context's.
func TestClient_timeoutInBody(t *testing.T) {
	t.Parallel()
	stops := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "half")
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	story(t, stops, func(s *httpclient.Settings) { s.Timeout = second }, func(t *testing.T, r *rig) {
		for range 50 {
			begin := time.Now()
			_, text, err := r.do(t.Context(), http.MethodGet, "/", nil)
			const want = "answer of payments:8443: context deadline exceeded (Client.Timeout or context cancellation while reading body)"
			if text != "half" || fmt.Sprint(err) != want || time.Since(begin) != second {
				t.Fatalf("after %v: %q, %v, want %s", time.Since(begin), text, err, want)
			}
		}
	})
}
