package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/httpclient/transport"
	"github.com/brunt-go/brunt/retry"
)

var errDown = errors.New("connection refused")

// stub is a RoundTripper that says what it is told to, attempt for attempt: a status, or
// 0 for an error.
type stub struct {
	says     []int
	requests []*http.Request
	open     int // bodies of answers
	idle     int // calls of CloseIdleConnections
}

func (s *stub) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		io.Copy(io.Discard, req.Body)
		req.Body.Close()
	}
	s.requests = append(s.requests, req)
	status := s.says[min(len(s.requests), len(s.says))-1]
	if status == 0 {
		return nil, errDown
	}
	s.open++
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Request: req}
	resp.Body = &counted{strings.NewReader(fmt.Sprint("answer ", len(s.requests))), s}
	return resp, nil
}

func (s *stub) CloseIdleConnections() { s.idle++ }

type counted struct {
	io.Reader
	of *stub
}

func (c *counted) Close() error {
	if c.of != nil {
		c.of.open--
	}
	c.of = nil
	return nil
}

func newPolicy(t testing.TB) *retry.Policy {
	t.Helper()
	s := retry.DefaultSettings()
	s.BackoffBase = 0
	p, err := retry.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newBreaker(t testing.TB) *circuit.Breaker {
	t.Helper()
	b, err := circuit.New("payments:80", circuit.DefaultPolicy())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func get(client *http.Client) (int, string, error) {
	resp, err := client.Get("http://payments/charge")
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// Retries alone: each answer but the last is closed, and each attempt knows its ordinal.
func TestRetry(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		says []int
		want string
	}{
		{"well", []int{200}, "200 answer 1 <nil>"},
		{"in_the_end", []int{503, 0, 200}, "200 answer 3 <nil>"},
		{"never", []int{503}, "503 answer 3 <nil>"},
		{"error", []int{0}, `0  Get "http://payments/charge": connection refused`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			base := &stub{says: row.says}
			client := &http.Client{Transport: transport.NewRetry(base, newPolicy(t), nil)}
			status, text, err := get(client)
			if got := fmt.Sprint(status, " ", text, " ", err); got != row.want || base.open != 0 {
				t.Errorf("%s and %d bodies left open, want %s and none", got, base.open, row.want)
			}
			for i, req := range base.requests {
				if n := fit.AttemptFromContext(req.Context()); n != i+1 {
					t.Errorf("attempt %d says it is %d", i+1, n)
				}
			}
			client.CloseIdleConnections()
			if base.idle != 1 {
				t.Error("idle connections are not closed")
			}
		})
	}
}

// A body is sent again by GetBody alone, which may fail too.
func TestRetry_body(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name     string
		change   func(*http.Request)
		attempts int
		want     error
	}{
		{"get_body", func(*http.Request) {}, 3, errDown},
		{"no_get_body", func(r *http.Request) { r.GetBody = nil }, 1, errDown},
		{"empty", func(r *http.Request) { r.Body, r.GetBody = http.NoBody, nil }, 3, errDown},
		{"get_body_fails", func(r *http.Request) { r.GetBody = func() (io.ReadCloser, error) { return nil, io.ErrClosedPipe } }, 1, io.ErrClosedPipe},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			base := &stub{says: []int{0}}
			req := httptest.NewRequest(http.MethodPut, "http://payments/", nil)
			req, err := http.NewRequestWithContext(req.Context(), http.MethodPut, "http://payments/", strings.NewReader("1 EUR"))
			if err != nil {
				t.Fatal(err)
			}
			row.change(req)
			_, err = transport.NewRetry(base, newPolicy(t), nil).RoundTrip(req)
			if !errors.Is(err, row.want) || len(base.requests) != row.attempts {
				t.Errorf("%v after %d attempts, want %v after %d", err, len(base.requests), row.want, row.attempts)
			}
		})
	}
}

// A caller that goes away while we wait gets why the call ended, and the error that was
// waited after, if there was one.
func TestRetry_cancelledWait(t *testing.T) {
	t.Parallel()
	for says, want := range map[int]error{0: errDown, 503: context.Canceled} {
		t.Run(fmt.Sprint(says), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := retry.DefaultSettings()
				s.BackoffBase, s.Jitter = time.Second, 0
				policy, err := retry.New(s)
				if err != nil {
					t.Fatal(err)
				}
				base := &stub{says: []int{says}}
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Millisecond, cancel)
				req := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://payments/", nil)
				resp, err := transport.NewRetry(base, policy, nil).RoundTrip(req)
				if resp != nil || !errors.Is(err, want) || !errors.Is(err, context.Canceled) || len(base.requests) != 1 || base.open != 0 {
					t.Errorf("%v, %v after %d attempts, %d bodies open", resp, err, len(base.requests), base.open)
				}
			})
		})
	}
}

// A breaker alone, and one inside retries: Classify is asked once for each attempt.
func TestBreaker(t *testing.T) {
	t.Parallel()
	base := &stub{says: []int{500}}
	asked := 0
	classify := func(resp *http.Response, err error) transport.Classification {
		asked++
		c := transport.DefaultClassify(resp, err)
		c.Retry = retry.Retry
		return c
	}
	breaker := newBreaker(t)
	around := transport.NewBreaker(base, breaker, classify)
	client := &http.Client{Transport: transport.NewRetry(around, newPolicy(t), nil)}
	if status, _, err := get(client); status != 500 || len(base.requests) != 3 || asked != 3 {
		t.Errorf("%d, %v after %d attempts and %d questions", status, err, len(base.requests), asked)
	}
	if _, _, err := get(client); !errors.Is(err, circuit.ErrRejected) || len(base.requests) != 5 || asked != 5 || breaker.State() != circuit.Open {
		t.Errorf("%v after %d attempts and %d questions", err, len(base.requests), asked)
	}
	closed := false
	req := httptest.NewRequest(http.MethodPut, "http://payments/", closer{&closed})
	if _, err := around.RoundTrip(req); !errors.Is(err, circuit.ErrRejected) || !closed || base.open != 0 {
		t.Errorf("%v, body closed: %v, answers open: %d", err, closed, base.open)
	}
	client.CloseIdleConnections()
	if base.idle != 1 {
		t.Error("idle connections are not closed")
	}
}

type closer struct{ closed *bool }

func (closer) Read([]byte) (int, error) { return 0, io.EOF }
func (c closer) Close() error           { *c.closed = true; return nil }

// A RoundTripper that panics keeps no probe's place.
func TestBreaker_panic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		policy := circuit.DefaultPolicy()
		policy.Failures = 1
		breaker, err := circuit.New("payments", policy)
		if err != nil {
			t.Fatal(err)
		}
		bad := &http.Client{Transport: transport.NewBreaker(&stub{says: []int{0}}, breaker, nil)}
		_, _, _ = get(bad)
		time.Sleep(policy.OpenFor)
		func() {
			defer func() { _ = recover() }()
			_, _, _ = get(&http.Client{Transport: transport.NewBreaker(&stub{}, breaker, nil)}) // says nothing: it panics
			t.Error("the panic is gone")
		}()
		good := &http.Client{Transport: transport.NewBreaker(&stub{says: []int{200}}, breaker, nil)}
		if _, _, err := get(good); err != nil || breaker.State() != circuit.Closed {
			t.Errorf("%v, %s", err, breaker.State())
		}
	})
}
