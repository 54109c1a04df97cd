package compat

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/httpclient/transport"
	"github.com/brunt-go/brunt/retry"
)

// D2, R94: which answers are tried again, which requests may be, and what the breaker
// takes them for.
func TestHTTPBin_status(t *testing.T) {
	t.Parallel()
	once := func() io.Reader { return io.MultiReader(strings.NewReader("once")) } // no GetBody
	often := func() io.Reader { return strings.NewReader("often") }
	rows := []struct {
		name, method string
		status       int
		body         func() io.Reader
		header       []string
		attempts     int
		outcomes     string
		decisions    string
	}{
		{"ok", "GET", 200, nil, nil, 1, "1 success", "1 stop"},
		{"no_content", "GET", 204, nil, nil, 1, "1 success", "1 stop"},
		{"not_modified", "GET", 304, nil, nil, 1, "1 success", "1 stop"},
		{"not_found", "GET", 404, nil, nil, 1, "1 success", "1 stop"},
		{"request_timeout", "GET", 408, nil, nil, 1, "1 success", "1 stop"},
		{"teapot", "GET", 418, nil, nil, 1, "1 success", "1 stop"},
		{"too_many", "GET", 429, nil, nil, 3, "3 success", "2 retry, 1 exhausted"},
		{"internal", "GET", 500, nil, nil, 1, "1 failure", "1 stop"},
		{"not_implemented", "GET", 501, nil, nil, 1, "1 failure", "1 stop"},
		{"bad_gateway", "GET", 502, nil, nil, 3, "3 failure", "2 retry, 1 exhausted"},
		{"unavailable", "GET", 503, nil, nil, 3, "3 failure", "2 retry, 1 exhausted"},
		{"gateway_timeout", "GET", 504, nil, nil, 3, "3 failure", "2 retry, 1 exhausted"},
		{"head", "HEAD", 503, nil, nil, 3, "3 failure", "2 retry, 1 exhausted"},
		{"delete", "DELETE", 503, nil, nil, 3, "3 failure", "2 retry, 1 exhausted"},
		{"options", "OPTIONS", 200, nil, nil, 1, "1 success", "1 stop"},
		{"put", "PUT", 503, often, nil, 3, "3 failure", "2 retry, 1 exhausted"},
		{"put_once", "PUT", 503, once, nil, 1, "1 failure", "1 stop"},
		{"post", "POST", 503, often, nil, 1, "1 failure", "1 stop"},
		{"post_without_body", "POST", 503, nil, nil, 1, "1 failure", "1 stop"},
		{"post_with_key", "POST", 503, often, []string{"Idempotency-Key", "7"}, 3, "3 failure", "2 retry, 1 exhausted"},
		{"post_once_with_key", "POST", 503, once, []string{"Idempotency-Key", "7"}, 1, "1 failure", "1 stop"},
		{"patch", "PATCH", 503, often, nil, 1, "1 failure", "1 stop"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			each(t, nil, nil, func(t *testing.T, b *bin) {
				var body io.Reader
				if row.body != nil {
					body = row.body()
				}
				uri := "/status/" + strconv.Itoa(row.status)
				got := b.do(t.Context(), row.method, uri, body, row.header...)
				if got.err != nil || got.bodyErr != nil || got.status != row.status {
					t.Errorf("%s %s = %d, %v, %v", row.method, uri, got.status, got.err, got.bodyErr)
				}
				if lines := b.lines(); !slices.Equal(lines, slices.Repeat([]string{row.method + " " + uri}, row.attempts)) {
					t.Errorf("it was asked %q, want %d times the same", lines, row.attempts)
				}
				if b.outcomes() != row.outcomes || b.decisions() != row.decisions {
					t.Errorf("the breaker counts %s, the retries %s, want %s and %s", b.outcomes(), b.decisions(), row.outcomes, row.decisions)
				}
			})
		})
	}
}

// A body is sent whole with each attempt: go-httpbin says back what it got.
func TestHTTPBin_bodyAgain(t *testing.T) {
	t.Parallel()
	failures := 2
	around := func(next http.Handler) http.Handler { // the first two requests
		left := make(chan struct{}, failures)
		for range failures {
			left <- struct{}{}
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-left:
				_, _ = io.CopyN(io.Discard, r.Body, 3) // not all of it
				w.WriteHeader(http.StatusServiceUnavailable)
			default:
				next.ServeHTTP(w, r)
			}
		})
	}
	for name, h2 := range map[string]bool{"http1": false, "http2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBin(t, h2, around, nil)
			got := b.do(t.Context(), "PUT", "/put", strings.NewReader("the whole of it"), "Content-Type", "text/plain")
			if got.status != 200 || got.err != nil || !strings.Contains(got.body, `"data": "the whole of it"`) {
				t.Errorf("PUT /put = %d %s, %v", got.status, got.body, got.err)
			}
			if n := len(b.requests()); n != 3 {
				t.Errorf("%d attempts, want 3", n)
			}
		})
	}
}

// What fails by chance: a call has as many attempts as it takes to a success, and no more
// than it may have. The chance is go-httpbin's.
func TestHTTPBin_unstable(t *testing.T) {
	t.Parallel()
	each(t, nil, func(s *httpclient.Settings) {
		s.Breaker = false
		s.RetryBudget.Start = s.RetryBudget.Max
		s.MaxAttempts = 4
		s.Classify = func(resp *http.Response, err error) httpclient.Classification {
			c := transport.DefaultClassify(resp, err)
			if resp != nil && resp.StatusCode == http.StatusInternalServerError {
				c.Retry = retry.Retry
			}
			return c
		}
	}, func(t *testing.T, b *bin) {
		ok, attempts := 0, 0
		for range 100 {
			got := b.get("/unstable?failure_rate=0.3")
			n := len(b.requests())
			attempts += n
			switch {
			case got.status == http.StatusOK && n <= 4:
				ok++
			case got.status == http.StatusInternalServerError && n == 4:
			default:
				t.Errorf("%d after %d attempts, %v", got.status, n, got.err)
			}
		}
		// Each attempt but a call's last one failed: a success ends a call.
		want := strconv.Itoa(attempts-100) + " retry, " + strconv.Itoa(ok) + " stop"
		if ok < 100 {
			want += ", " + strconv.Itoa(100-ok) + " exhausted"
		}
		if got := b.decisions(); got != want {
			t.Errorf("the retries count %s, want %s", got, want)
		}
		if attempts == 100 {
			t.Error("nothing failed")
		}
	})
}

// R82, D3: retries draw on a budget that all calls share. When it is empty, a call ends
// with what its attempt came to.
func TestHTTPBin_budget(t *testing.T) {
	t.Parallel()
	each(t, nil, func(s *httpclient.Settings) {
		s.Breaker = false
		s.RetryBudget = retry.BudgetSettings{Deposit: 0.5, Max: 10, Start: 2}
	}, func(t *testing.T, b *bin) {
		var attempts []int
		for range 8 {
			if got := b.get("/status/503"); got.status != 503 || got.err != nil {
				t.Errorf("answered %d, %v", got.status, got.err)
			}
			attempts = append(attempts, len(b.requests()))
		}
		// 2 at first, half a one for each call: 2.5, 1, 0.5, 1, 0.5, ...
		if want := []int{3, 2, 1, 2, 1, 2, 1, 2}; !slices.Equal(attempts, want) {
			t.Errorf("%v attempts, want %v", attempts, want)
		}
		if got := b.decisions(); got != "6 retry, 1 exhausted, 7 over_budget" {
			t.Errorf("the retries count %s", got)
		}
	})
}

// D2, D1: Retry-After is waited for, up to BackoffMax, and not when it would be too late.
func TestHTTPBin_retryAfter(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, value    string
		status         int
		max, timeout   time.Duration
		attempts       int
		atLeast, below time.Duration
		decisions      string
	}{
		{"seconds", "1", 503, 5 * time.Second, 15 * time.Second, 2, time.Second, 5 * time.Second, "1 retry, 1 exhausted"},
		{"of_429", "1", 429, 5 * time.Second, 15 * time.Second, 2, time.Second, 5 * time.Second, "1 retry, 1 exhausted"},
		{"at_most", "3600", 503, 100 * time.Millisecond, 15 * time.Second, 2, 100 * time.Millisecond, 5 * time.Second, "1 retry, 1 exhausted"},
		{"date", "Fri, 31 Dec 9999 23:59:59 GMT", 503, 100 * time.Millisecond, 15 * time.Second, 2, 100 * time.Millisecond, 5 * time.Second, "1 retry, 1 exhausted"},
		{"date_gone", "Thu, 01 Jan 1970 00:00:00 GMT", 503, 10 * time.Second, 15 * time.Second, 2, 0, 5 * time.Second, "1 retry, 1 exhausted"},
		{"nonsense", "soon", 503, 10 * time.Second, 15 * time.Second, 2, 0, 5 * time.Second, "1 retry, 1 exhausted"},
		{"negative", "-5", 503, 10 * time.Second, 15 * time.Second, 2, 0, 5 * time.Second, "1 retry, 1 exhausted"},
		{"too_late", "20", 503, time.Minute, 15 * time.Second, 1, 0, 5 * time.Second, "1 expired"},
		{"not_of_500", "1", 500, 5 * time.Second, 15 * time.Second, 1, 0, 5 * time.Second, "1 stop"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			around := func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Retry-After", row.value)
					next.ServeHTTP(w, r)
				})
			}
			each(t, around, func(s *httpclient.Settings) {
				s.BackoffMax, s.Timeout, s.MaxAttempts = row.max, row.timeout, 2
			}, func(t *testing.T, b *bin) {
				got := b.get("/status/" + strconv.Itoa(row.status))
				requests := b.requests()
				if got.err != nil || got.status != row.status || len(requests) != row.attempts {
					t.Fatalf("%d, %v after %d attempts, want %d", got.status, got.err, len(requests), row.attempts)
				}
				if row.attempts == 2 {
					if wait := requests[1].at.Sub(requests[0].at); wait < row.atLeast || wait > row.below {
						t.Errorf("waited %v, want from %v to %v", wait, row.atLeast, row.below)
					}
				}
				if got.took > row.below || b.decisions() != row.decisions {
					t.Errorf("took %v, the retries count %s, want %s", got.took, b.decisions(), row.decisions)
				}
			})
		})
	}
}

// R66, R81, D4: five failures in a row open the breaker, which sheds everybody's calls
// without asking. After OpenFor one probe decides, and one alone.
func TestHTTPBin_breaker(t *testing.T) {
	t.Parallel()
	const open = time.Second
	each(t, nil, func(s *httpclient.Settings) {
		s.MaxAttempts = 3
		s.BreakerPolicy.OpenFor = open
	}, func(t *testing.T, b *bin) {
		step := func(what, target string, status, attempts int, state string) reply {
			t.Helper()
			got := b.get(target)
			if n := len(b.requests()); got.status != status || n != attempts || b.state() != state {
				t.Errorf("%s: GET %s = %d, %v after %d attempts, the breaker is %s; want %d after %d, %s",
					what, target, got.status, got.err, n, b.state(), status, attempts, state)
			}
			return got
		}
		rejected := func(got reply) {
			t.Helper()
			if !errors.Is(got.err, circuit.ErrRejected) || got.took > open {
				t.Errorf("it failed with %v after %v, want the breaker's rejection at once", got.err, got.took)
			}
		}
		step("four in a row", "/status/503", 503, 3, "closed")
		step("four in a row", "/unstable?failure_rate=1", 500, 1, "closed")
		step("a success", "/status/404", 404, 1, "closed")
		step("three more", "/status/503", 503, 3, "closed")
		rejected(step("the fifth, and a rejection", "/status/503", 0, 2, "open"))
		opened := time.Now()
		rejected(step("somebody else's", "/status/200", 0, 0, "open"))
		time.Sleep(time.Until(opened.Add(open)))
		rejected(step("a probe that fails, and a rejection", "/status/503", 0, 1, "open"))
		opened = time.Now()
		rejected(step("open again", "/status/200", 0, 0, "open"))
		time.Sleep(time.Until(opened.Add(open)))

		probe := make(chan reply)
		go func() { probe <- b.get("/delay/200ms") }()
		for b.state() != "half_open" || b.waiting() == 0 {
			time.Sleep(time.Millisecond)
		}
		other := b.get("/status/200")
		rejected(other)
		if got := <-probe; got.status != 200 || b.state() != "closed" {
			t.Errorf("the probe is answered %d, %v, the breaker is %s", got.status, got.err, b.state())
		}
		if lines := b.lines(); !slices.Equal(lines, []string{"GET /delay/200ms"}) {
			t.Errorf("half open, it was asked %q, want the probe alone", lines)
		}
		step("closed", "/status/200", 200, 1, "closed")
		if got := b.outcomes(); got != "3 success, 10 failure, 5 rejected" {
			t.Errorf("the breaker counts %s", got)
		}
	})
}

// waiting is how many requests came in since the last time.
func (b *bin) waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.asked)
}
