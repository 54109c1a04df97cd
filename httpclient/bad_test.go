package httpclient_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/retry"
)

// Every bad setting is named, all of them in one error.
func TestNewClient_settings(t *testing.T) {
	t.Parallel()
	type settings = httpclient.Settings
	rows := []struct {
		name   string
		change func(*settings)
		want   string
	}{
		{"good", func(*settings) {}, ""},
		{"no_url", func(s *settings) { s.BaseURL = "" }, "BaseURL: not set, must be a URL such as https://payments:8443"},
		{"no_host", func(s *settings) { s.BaseURL = "https:///x" }, `BaseURL: "https:///x", must have a host`},
		{"port_alone", func(s *settings) { s.BaseURL = "https://:8443" }, `BaseURL: "https://:8443", must have a host`},
		{"no_scheme", func(s *settings) { s.BaseURL = "payments:8443" }, `BaseURL: "payments:8443", must begin with http:// or https://`},
		{"ftp", func(s *settings) { s.BaseURL = "ftp://payments" }, `BaseURL: "ftp://payments", must begin with http:// or https://`},
		{"no_url_at_all", func(s *settings) { s.BaseURL = "https://pay ments" }, "BaseURL: must be a URL such as https://payments:8443"},
		{"port", func(s *settings) { s.BaseURL = "https://payments:99999" }, `BaseURL: "https://payments:99999", must have a port from 1 to 65535`},
		{"secret", func(s *settings) { s.BaseURL = "https://me:secret@payments" }, `BaseURL: "https://me:xxxxx@payments", must have no user, query or fragment`},
		{"timeouts", func(s *settings) { s.Timeout, s.AttemptTimeout = -second, 0 }, "Timeout: -1s, must be positive\nAttemptTimeout: 0s, must be positive"},
		{"attempts", func(s *settings) { s.MaxAttempts = 0 }, "MaxAttempts: 0, must be 1 or more"},
		{"backoff", func(s *settings) { s.BackoffBase, s.BackoffMax = -1, -1 }, "BackoffBase: -1ns, must not be negative\nBackoffMax: -1ns, must not be negative"},
		{"budget", func(s *settings) { s.RetryBudget.Start = -1 }, "RetryBudget: Start: -1, must be from 0 to Max, 100"},
		{"policy", func(s *settings) { s.BreakerPolicy = circuit.Policy{Failures: 1, Probes: 1} }, "BreakerPolicy: OpenFor: 0s, must be positive"},
		{"policy_unused", func(s *settings) { s.Breaker, s.BreakerPolicy = false, circuit.Policy{} }, ""},
		{"no_budget", func(s *settings) { s.RetryBudget = retry.BudgetSettings{} }, ""},
		{"classify", func(s *settings) { s.Classify = nil }, "Classify: not set, must be set"},
		{"header", func(s *settings) { s.RemainingHeader = "a: b" }, `RemainingHeader: "a: b", must be a header's name`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := httpclient.DefaultSettings()
			s.BaseURL = "https://payments:8443"
			row.change(&s)
			client, err := httpclient.NewClient(&brunt.Setup{}, s) // also: a Setup that has nothing
			got := ""
			if err != nil {
				got = strings.TrimPrefix(err.Error(), "httpclient settings: ")
			}
			if got != row.want || (client == nil) != (row.want != "") {
				t.Errorf("NewClient = %v, %q, want %q", client, got, row.want)
			}
		})
	}
	client, err := httpclient.NewClient(&brunt.Setup{}, httpclient.Settings{Breaker: true})
	if client != nil || strings.Count(fmt.Sprint(err), "\n") < 6 || !strings.Contains(fmt.Sprint(err), "\nbegin with DefaultSettings()") {
		t.Errorf("all bad: %v", err)
	}
}

// raw serves what handle does with each connection, in plain text.
func raw(t *testing.T, h *brunttest.Host, address string, handle func(net.Conn)) {
	t.Helper()
	l, err := h.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			handle(c)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
}

// request reads the head of a request.
func request(c net.Conn) {
	var head []byte
	for b := make([]byte, 1); !strings.HasSuffix(string(head), "\r\n\r\n"); {
		if _, err := c.Read(b); err != nil {
			return
		}
		head = append(head, b...)
	}
}

// A service that misbehaves: one clear error that names it, in time, and nothing left.
func TestClient_badService(t *testing.T) {
	t.Parallel()
	say := func(text string) func(net.Conn) {
		return func(c net.Conn) { request(c); io.WriteString(c, text) }
	}
	rows := []struct {
		name     string
		method   string
		handle   func(net.Conn)
		want     string
		took     time.Duration
		attempts int
	}{
		{"never_answers", "GET", func(c net.Conn) { io.Copy(io.Discard, c) }, `Get "/charge": bad:80: context deadline exceeded`, 15 * second, 3},
		{"never_answers_a_post", "POST", func(c net.Conn) { io.Copy(io.Discard, c) }, `Post "/charge": bad:80: context deadline exceeded (AttemptTimeout of 5s exceeded)`, 5 * second, 1},
		{"closes_at_once", "GET", func(net.Conn) {}, `Get "/charge": bad:80: `, 0, 3}, // EOF, or a broken pipe
		{"closes_early", "GET", request, `Get "/charge": bad:80: EOF`, 0, 3},
		{"closes_early_on_a_post", "POST", request, `Post "/charge": bad:80: EOF`, 0, 1},
		{"half_a_header", "GET", say("HTTP/1.1 200 OK\r\nContent-"), `Get "/charge": bad:80: net/http: HTTP/1.x transport connection broken: malformed MIME header`, 0, 3},
		{"no_http", "GET", say("220 mail.example.org ESMTP\r\n\r\n"), `Get "/charge": bad:80: net/http: HTTP/1.x transport connection broken: malformed HTTP`, 0, 3},
		{"short_body", "GET", say("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nonly"), "answer of bad: unexpected EOF", 0, 1},
		{"stuck_body", "GET", func(c net.Conn) {
			say("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nonly")(c)
			io.Copy(io.Discard, c)
		}, "answer of bad: context deadline exceeded (AttemptTimeout of 5s exceeded)", 5 * second, 1},
		{"endless_header", "GET", func(c net.Conn) {
			say("HTTP/1.1 200 OK\r\n")(c)
			for line := []byte("X-A: " + strings.Repeat("a", 4000) + "\r\n"); ; { // a GiB and more
				if _, err := c.Write(line); err != nil {
					return
				}
			}
		}, `Get "/charge": bad:80: net/http: HTTP/1.x transport connection broken: net/http: server response headers exceeded 1048576 bytes; aborted`, 0, 3},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			story(t, nil, nil, func(t *testing.T, r *rig) {
				raw(t, r.host, "bad:80", row.handle)
				r.client = r.newClient(func(s *httpclient.Settings) { s.BaseURL, s.Timeout = "http://bad", 20*second })
				ctx, end := r.carrying()
				defer end()
				start := time.Now()
				_, _, err := r.do(ctx, row.method, "/charge", nil)
				if err == nil || !strings.HasPrefix(err.Error(), row.want) || time.Since(start) != row.took || len(r.attempts()) != row.attempts {
					t.Errorf("%v after %v and %d attempts, want %s after %v and %d", err, time.Since(start), len(r.attempts()), row.want, row.took, row.attempts)
				}
			})
		})
	}
}

// Nobody there, and somebody else there.
func TestClient_badPeer(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, base, want string
		change           func(*httpclient.Settings)
		attempts         int
	}{
		{"nobody", "http://nobody:80", "connection refused", nil, 3},
		{"unknown_authority", "https://payments:8443", "certificate signed by unknown authority", func(s *httpclient.Settings) { s.TLS = nil }, 1},
		{"another_name", "https://ledger:8443", "certificate is valid for localhost, payments, not ledger", nil, 1},
		{"plain_text", "http://payments:8443", "", nil, 1}, // Go's server answers 400
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			story(t, nil, nil, func(t *testing.T, r *rig) {
				config := &tls.Config{Certificates: []tls.Certificate{r.ca.Issue(t, "payments").TLS()}}
				r.host.Serve("ledger:8443", r.recording(nil), config)
				r.client = r.newClient(func(s *httpclient.Settings) {
					s.BaseURL = row.base
					if row.change != nil {
						row.change(s)
					}
				})
				status, err := r.get()
				if row.want == "" {
					if status != http.StatusBadRequest {
						t.Errorf("%d, %v", status, err)
					}
				} else if err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), strings.TrimPrefix(strings.TrimPrefix(row.base, "https://"), "http://")) {
					t.Errorf("err = %v, want one with %q that names the peer", err, row.want)
				}
				if len(r.attempts()) != row.attempts || len(r.requests()) != 0 {
					t.Errorf("%d attempts, %d requests", len(r.attempts()), len(r.requests()))
				}
			})
		})
	}
}

// A request for somebody else is refused and not sent.
func TestClient_otherOrigin(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"https://evil:8443/x", "http://payments:8443/x", "https://payments/x", "//evil/x", "https:payments"} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			story(t, nil, nil, func(t *testing.T, r *rig) {
				ctx, end := r.carrying()
				defer end()
				closed := false
				_, _, err := r.do(ctx, http.MethodPost, target, body{strings.NewReader("x"), &closed})
				if err == nil || !strings.Contains(err.Error(), "this client is for BaseURL https://payments:8443, not for ") || len(r.attempts()) != 0 || !closed {
					t.Errorf("%v after %d attempts; body closed: %v", err, len(r.attempts()), closed)
				}
			})
		})
	}
}

type body struct {
	io.Reader
	closed *bool
}

func (b body) Close() error { *b.closed = true; return nil }

// A request body that fails half-way is the caller's own failure: said so, not sent
// again, and not held against the service.
func TestClient_badRequestBody(t *testing.T) {
	t.Parallel()
	errDisk := errors.New("disk on fire")
	for name, http1 := range map[string]bool{"http2": false, "http1": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, nil, nil, func(t *testing.T, r *rig) {
				if http1 {
					r.host.Serve("payments:80", r.recording(nil), nil)
					r.client = r.newClient(func(s *httpclient.Settings) { s.BaseURL = "http://payments" })
				}
				ctx, end := r.carrying()
				defer end()
				broken := io.MultiReader(strings.NewReader("1 "), iotest.ErrReader(errDisk))
				_, _, err := r.do(ctx, http.MethodPut, "/charge", broken, "Idempotency-Key: 7")
				if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "read the request's body: disk on fire") {
					t.Errorf("err = %v", err)
				}
				ignored := r.tel.Sum("brunt.circuit.calls", attribute.String("brunt.circuit.outcome", "ignored"))
				if len(r.attempts()) != 1 || ignored != 1 || r.tel.Sum("brunt.circuit.calls") != 1 {
					t.Errorf("%d attempts, %v calls of which %v ignored", len(r.attempts()), r.tel.Sum("brunt.circuit.calls"), ignored)
				}
			})
		})
	}
}

// A Classify that panics ends its call with an error that names it, and the client works
// on.
func TestClient_classifyPanics(t *testing.T) {
	t.Parallel()
	n := 0
	story(t, nil, func(s *httpclient.Settings) {
		classify := s.Classify
		s.Classify = func(resp *http.Response, err error) httpclient.Classification {
			if n++; n == 1 {
				panic("no such order")
			}
			return classify(resp, err)
		}
	}, func(t *testing.T, r *rig) {
		_, err := r.get()
		if err == nil || !strings.HasSuffix(err.Error(), "the setting Classify panicked: no such order") || len(r.attempts()) != 1 {
			t.Errorf("%v after %d attempts", err, len(r.attempts()))
		}
		if logs := r.tel.Logs(); len(logs) != 1 || logs[0].Message != "classify panicked" || !strings.Contains(logs[0].Attribute("stack"), "bad_test.go") {
			t.Errorf("logs %+v", logs)
		}
		if status, err := r.get(); status != 200 {
			t.Errorf("the next call: %d, %v", status, err)
		}
		if r.calls("ignored") != 1 {
			t.Errorf("%v ignored", r.calls("ignored"))
		}
	})
}

// A hung dial ends with its attempt.
func TestClient_hungDial(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		r.setup.Host.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		r.client = r.newClient(func(s *httpclient.Settings) { s.MaxAttempts = 1 })
		start := time.Now()
		_, err := r.get()
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 5*second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}
