package compat

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/httpclient"
)

const (
	short = 400 * time.Millisecond
	long  = 8 * time.Second // what go-httpbin would take, and nobody waits for
)

// D1, R94, R98: an attempt that is out of time is tried again and is a failure, a call
// that is ends with net/http's own error, and a caller that leaves says nothing.
func TestHTTPBin_delay(t *testing.T) {
	t.Parallel()
	attempt := func(s *httpclient.Settings) { s.AttemptTimeout = short }
	call := func(s *httpclient.Settings) { s.Timeout = short }
	rows := []struct {
		name, method, target string
		change               func(*httpclient.Settings)
		caller               func(context.Context) (context.Context, context.CancelFunc)
		attempts             int
		took                 time.Duration // at least, and nothing like what go-httpbin takes
		outcomes, decisions  string
		is                   error
	}{
		{"attempt", "GET", "/delay/8s", attempt, nil, 3, 3 * short, "3 failure", "2 retry, 1 exhausted", context.DeadlineExceeded},
		{"attempt_of_a_post", "POST", "/delay/8s", attempt, nil, 1, short, "1 failure", "1 stop", context.DeadlineExceeded},
		{"before_the_header", "GET", "/drip?delay=8s&duration=0&numbytes=1", attempt, nil, 3, 3 * short, "3 failure", "2 retry, 1 exhausted", context.DeadlineExceeded},
		{"call", "GET", "/delay/8s", call, nil, 1, short, "1 failure", "1 expired", context.DeadlineExceeded},
		{"call_in_its_second_attempt", "GET", "/delay/8s", func(s *httpclient.Settings) {
			s.AttemptTimeout, s.Timeout = short, short*3/2
		}, nil, 2, short * 3 / 2, "2 failure", "1 retry, 1 expired", context.DeadlineExceeded},
		{"callers_deadline", "GET", "/delay/8s", nil, func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, short)
		}, 1, short, "1 failure", "1 expired", context.DeadlineExceeded},
		{"caller_leaves", "GET", "/delay/8s", nil, func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(short, cancel)
			return ctx, cancel
		}, 1, short, "1 ignored", "1 expired", context.Canceled},
		{"in_time", "GET", "/delay/100ms", nil, nil, 1, 100 * time.Millisecond, "1 success", "1 stop", nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			each(t, nil, row.change, func(t *testing.T, b *bin) {
				ctx := t.Context()
				if row.caller != nil {
					var cancel context.CancelFunc
					ctx, cancel = row.caller(ctx)
					defer cancel()
				}
				got := b.do(ctx, row.method, row.target, nil)
				requests := b.requests()
				if row.is == nil && (got.status != 200 || got.err != nil) || row.is != nil && !errors.Is(got.err, row.is) {
					t.Errorf("%s %s = %d, %v, want %v", row.method, row.target, got.status, got.err, row.is)
				}
				if errors.Is(row.is, context.DeadlineExceeded) && !timedOut(got.err) {
					t.Errorf("%v does not say in every way that it is a timeout", got.err)
				}
				if len(requests) != row.attempts || got.took < row.took || got.took > long*3/4 {
					t.Errorf("%d attempts in %v, want %d in %v", len(requests), got.took, row.attempts, row.took)
				}
				if b.outcomes() != row.outcomes || b.decisions() != row.decisions {
					t.Errorf("the breaker counts %s, the retries %s, want %s and %s", b.outcomes(), b.decisions(), row.outcomes, row.decisions)
				}
			})
		})
	}
}

// go-httpbin is told how long each attempt has, and that is never more than it has.
func TestHTTPBin_remaining(t *testing.T) {
	t.Parallel()
	each(t, nil, func(s *httpclient.Settings) { s.AttemptTimeout, s.Timeout = short, short*3/2 }, func(t *testing.T, b *bin) {
		b.get("/delay/8s")
		for i, a := range b.requests() {
			most := []time.Duration{short, short / 2}[i]
			ms, err := strconv.Atoi(a.header.Get("X-Envoy-Expected-Rq-Timeout-Ms"))
			if left := time.Duration(ms) * time.Millisecond; err != nil || left <= 0 || left > most {
				t.Errorf("attempt %d has %v, %v, want at most %v", i+1, left, err, most)
			}
		}
	})
}

// The attempt's time goes to the end of the answer's body. What is late in there is no
// longer tried again, and is nothing to the breaker: the caller has the answer by then.
func TestHTTPBin_drip(t *testing.T) {
	t.Parallel()
	each(t, nil, func(s *httpclient.Settings) { s.AttemptTimeout = short }, func(t *testing.T, b *bin) {
		got := b.get("/drip?delay=0&duration=8s&numbytes=9")
		if got.status != 200 || got.err != nil || got.body != "*" || !timedOut(got.bodyErr) {
			t.Fatalf("answered %d, %v, the body is %q, %v; want 200, a byte, and a timeout", got.status, got.err, got.body, got.bodyErr)
		}
		if !strings.HasPrefix(got.bodyErr.Error(), "answer of "+b.server.Listener.Addr().String()) {
			t.Errorf("the body ends with %v, which does not say whose it is", got.bodyErr)
		}
		if n := len(b.requests()); n != 1 || got.took < short || got.took > long/2 || b.outcomes() != "1 success" {
			t.Errorf("%d attempts in %v, the breaker counts %s", n, got.took, b.outcomes())
		}
	})
}

// The slow body of an answer that is not wanted holds up the next attempt for 50 ms at
// the most.
func TestHTTPBin_dripUnwanted(t *testing.T) {
	t.Parallel()
	each(t, nil, nil, func(t *testing.T, b *bin) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "/drip?delay=0&duration=8s&numbytes=9&code=503", nil)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		resp, err := b.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(began)
		resp.Body.Close()
		requests := b.requests()
		if resp.StatusCode != 503 || len(requests) != 3 || took > 2*time.Second {
			t.Errorf("answered %s after %d attempts in %v, want 503 after 3 in about 100ms", resp.Status, len(requests), took)
		}
		if b.outcomes() != "3 failure" {
			t.Errorf("the breaker counts %s", b.outcomes())
		}
	})
}

// Redirects within the service are followed, each with attempts of its own; one to
// another is the answer.
func TestHTTPBin_redirect(t *testing.T) {
	t.Parallel()
	const elsewhere = "http://elsewhere.invalid/get"
	rows := []struct {
		name, method, target, body string
		status                     int
		lines                      []string
		err                        string
	}{
		{"relative", "GET", "/redirect/3", "", 200, []string{"GET /redirect/3", "GET /relative-redirect/2", "GET /relative-redirect/1", "GET /get"}, ""},
		{"to_a_failure", "GET", "/redirect-to?url=/status/503", "", 503, []string{"GET /redirect-to?url=/status/503", "GET /status/503", "GET /status/503", "GET /status/503"}, ""},
		{"to_another_host", "GET", "/redirect-to?url=" + elsewhere, "", 302, []string{"GET /redirect-to?url=" + elsewhere}, ""},
		{"post_becomes_get", "POST", "/redirect-to?url=/get&status_code=303", "x", 200, []string{"POST /redirect-to?url=/get&status_code=303", "GET /get"}, ""},
		{"post_stays_post", "POST", "/redirect-to?url=/post&status_code=307", "the whole", 200, []string{"POST /redirect-to?url=/post&status_code=307", "POST /post"}, ""},
		{"post_to_a_failure", "POST", "/redirect-to?url=/status/503&status_code=307", "x", 503, []string{"POST /redirect-to?url=/status/503&status_code=307", "POST /status/503"}, ""},
		{"for_ever", "GET", "/redirect/99", "", 0, nil, "stopped after 10 redirects"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			each(t, nil, nil, func(t *testing.T, b *bin) {
				got := b.do(t.Context(), row.method, row.target, strings.NewReader(row.body), "Content-Type", "text/plain")
				lines := b.lines()
				if row.err != "" {
					if got.err == nil || !strings.Contains(got.err.Error(), row.err) || len(lines) != 10 {
						t.Errorf("%v after %d requests, want %q after 10", got.err, len(lines), row.err)
					}
					return
				}
				if got.status != row.status || got.err != nil || !slices.Equal(lines, row.lines) {
					t.Errorf("answered %d, %v after %q\nwant %d after %q", got.status, got.err, lines, row.status, row.lines)
				}
				if row.method == "POST" && row.lines[1] == "POST /post" && !strings.Contains(got.body, `"data": "the whole"`) {
					t.Errorf("the body did not go along: %s", got.body)
				}
			})
		})
	}
}

// A redirect that names the service in full is one within it.
func TestHTTPBin_redirectAbsolute(t *testing.T) {
	t.Parallel()
	each(t, nil, nil, func(t *testing.T, b *bin) {
		if got := b.get("/absolute-redirect/2"); got.status != 200 || got.err != nil {
			t.Errorf("answered %d, %v", got.status, got.err)
		}
		if want := []string{"GET /absolute-redirect/2", "GET /absolute-redirect/1", "GET /get"}; !slices.Equal(b.lines(), want) {
			t.Errorf("other requests than %q", want)
		}
	})
}

// Timeout bounds a call with all its redirects and their attempts.
func TestHTTPBin_redirectTimeout(t *testing.T) {
	t.Parallel()
	each(t, nil, func(s *httpclient.Settings) { s.AttemptTimeout, s.Timeout = short, short*3/2 }, func(t *testing.T, b *bin) {
		got := b.get("/redirect-to?url=/delay/8s")
		if want := []string{"GET /redirect-to?url=/delay/8s", "GET /delay/8s", "GET /delay/8s"}; !timedOut(got.err) || !slices.Equal(b.lines(), want) {
			t.Errorf("%d, %v after other requests than %q", got.status, got.err, want)
		}
		if got.took < short*3/2 || got.took > long/2 || b.outcomes() != "1 success, 2 failure" || b.decisions() != "1 retry, 1 stop, 1 expired" {
			t.Errorf("took %v, the breaker counts %s, the retries %s", got.took, b.outcomes(), b.decisions())
		}
	})
}
