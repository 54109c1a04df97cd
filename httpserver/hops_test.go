package httpserver_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/httpserver"
)

const ms = time.Millisecond

// hops are the servers of an App, each of one handler, and clients of them.
type hops struct {
	*world
	t      *testing.T
	secure bool // TLS and HTTP/2
	setup  *brunt.Setup
}

// newHops starts an App that serves handlers by their addresses. To make one is given
// the hops, whose clients it may take.
func newHops(t *testing.T, secure bool, handlers func(h *hops) map[string]http.HandlerFunc) *hops {
	t.Helper()
	h := &hops{
		world: &world{host: brunttest.NewHost(t), ca: brunttest.NewCA(t), tel: brunttest.NewTelemetry()},
		t:     t, secure: secure,
	}
	init := func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		h.setup = s
		var all []brunt.Service
		for addr, handler := range handlers(h) {
			settings := httpserver.DefaultSettings()
			settings.Addr = addr
			if settings.PlainText = !secure; secure {
				host, _, _ := strings.Cut(addr, ":")
				settings.TLS = &tls.Config{Certificates: []tls.Certificate{h.ca.Issue(t, host).TLS()}}
			}
			svc, err := httpserver.NewService(s, settings, handler)
			if err != nil {
				return nil, err
			}
			all = append(all, svc)
		}
		return all, nil
	}
	h.app, h.status = brunttest.Start(t, init, brunttest.WithApp(brunt.WithHost(h.host.Host()), brunt.WithTelemetry(h.tel.Builder())))
	<-h.host.Listening("orders:8443")
	synctest.Wait()
	return h
}

// url is where addr is.
func (h *hops) url(addr string) string {
	if h.secure {
		return "https://" + addr
	}
	return "http://" + addr
}

// to is a client of the server at addr whose attempts may take so long.
func (h *hops) to(addr string, attempt time.Duration) *http.Client {
	h.t.Helper()
	settings := httpclient.DefaultSettings()
	settings.BaseURL, settings.AttemptTimeout, settings.MaxAttempts = h.url(addr), attempt, 1
	settings.TLS = &tls.Config{RootCAs: h.ca.Pool()}
	c, err := httpclient.NewClient(h.setup, settings)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// call makes a call whose answer's body nobody wants.
func call(ctx context.Context, c *http.Client, url string, header http.Header) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	req.Header = header.Clone()
	resp, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// seen is what a server saw of a request: how long the context had, when and how it
// ended.
type seen struct {
	proto       string
	left, ended time.Duration
	err, cause  string
}

// awaits is seen of a request whose context ends by itself.
func awaits(r *http.Request, began time.Time) seen {
	ctx := r.Context()
	deadline, _ := ctx.Deadline()
	s := seen{proto: r.Proto, left: time.Until(deadline)}
	<-ctx.Done()
	s.ended, s.err, s.cause = time.Since(began), ctx.Err().Error(), context.Cause(ctx).Error()
	return s
}

// Hop by hop there is less time: what the attempt of the client before has left, in
// whole milliseconds. The context ends exactly then, though the caller is still there.
func TestRemaining_hops(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name                string
		secure              bool
		header              string // of the edge
		attempt, work       time.Duration
		orders, paid, ended time.Duration // what each has when it is reached, and when payments ends
	}{
		{"http1", false, "", 200 * ms, 30 * ms, 200 * ms, 170 * ms, 200 * ms},
		{"http2", true, "", 200 * ms, 30 * ms, 200 * ms, 170 * ms, 200 * ms},
		{"whole_milliseconds", true, "", 200 * ms, 30*ms + 1, 200 * ms, 169 * ms, 199*ms + 1},
		{"the_edge_is_in_more_of_a_hurry", true, "150", time.Minute, 30 * ms, 150 * ms, 120 * ms, 150 * ms},
		{"the_edge_has_more_time", true, "3600000", time.Minute, 30 * ms, time.Hour, 15 * time.Second, 15*time.Second + 30*ms},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var began time.Time
				var had time.Duration
				charged := make(chan seen, 1)
				h := newHops(t, row.secure, func(h *hops) map[string]http.HandlerFunc {
					payments := h.to("payments:8443", time.Minute) // a call has 15 s
					return map[string]http.HandlerFunc{
						"orders:8443": func(_ http.ResponseWriter, r *http.Request) {
							deadline, _ := r.Context().Deadline()
							had = time.Until(deadline)
							time.Sleep(row.work)
							_, _ = call(r.Context(), payments, "/charge", nil)
						},
						"payments:8443": func(_ http.ResponseWriter, r *http.Request) { charged <- awaits(r, began) },
					}
				})
				edge, url, header := h.to("orders:8443", row.attempt), "/", http.Header(nil)
				if row.header != "" { // somebody else's client, who waits for good
					edge, url, header = h.client(), h.url("orders:8443"), http.Header{left: {row.header}}
				}
				began = time.Now()
				_, _ = call(t.Context(), edge, url, header)
				got := <-charged
				h.app.Stop()
				if proto := map[bool]string{false: "HTTP/1.1", true: "HTTP/2.0"}[row.secure]; got.proto != proto {
					t.Errorf("payments is called by %s, want %s", got.proto, proto)
				}
				if had != row.orders || got.left != row.paid || got.ended != row.ended {
					t.Errorf("orders has %v, payments has %v and ends at %v, want %v, %v and %v", had, got.left, got.ended, row.orders, row.paid, row.ended)
				}
			})
		})
	}
}

// A caller who says how long it waits, and waits longer, gets what the handler answers.
// The context has ended as if it had hung up.
func TestRemaining_ends(t *testing.T) {
	t.Parallel()
	for name, secure := range map[string]bool{"http1": false, "http2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var began time.Time
				var got seen
				h := newHops(t, secure, func(*hops) map[string]http.HandlerFunc {
					return map[string]http.HandlerFunc{"orders:8443": func(_ http.ResponseWriter, r *http.Request) { got = awaits(r, began) }}
				})
				began = time.Now()
				status, err := call(t.Context(), h.client(), h.url("orders:8443"), http.Header{left: {"250"}})
				if took := time.Since(began); status != http.StatusOK || err != nil || took != 250*ms {
					t.Errorf("answered %d, %v after %v, want 200 after 250ms", status, err, took)
				}
				if want := (seen{got.proto, 250 * ms, 250 * ms, "context canceled", "the caller's time is over: context canceled"}); got != want {
					t.Errorf("the handler saw %+v, want %+v", got, want)
				}
				if status := h.app.Stop(); status.Code() != 0 || len(h.warnings()) != 0 {
					t.Errorf("ended with %v, logged %q", status, h.warnings())
				}
			})
		})
	}
}

// A stranger shortens no request but its own. However often it asks for a millisecond,
// the breaker that orders shares among all its callers does not move.
func TestRemaining_stranger(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var errs []error
		h := newHops(t, true, func(h *hops) map[string]http.HandlerFunc {
			payments := h.to("payments:8443", 5*time.Second)
			return map[string]http.HandlerFunc{"orders:8443": func(w http.ResponseWriter, r *http.Request) {
				if _, err := call(r.Context(), payments, "/charge", nil); err != nil {
					errs = append(errs, err)
					w.WriteHeader(http.StatusBadGateway)
				}
			}}
		})
		h.host.Serve("payments:8443", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(time.Second) }),
			&tls.Config{Certificates: []tls.Certificate{h.ca.Issue(t, "payments").TLS()}})
		order := func(header http.Header) (int, time.Duration) {
			began := time.Now()
			status, err := call(t.Context(), h.client(), h.url("orders:8443"), header)
			if err != nil {
				t.Error(err)
			}
			return status, time.Since(began)
		}
		for range 20 {
			if status, took := order(http.Header{left: {"1"}}); status != http.StatusBadGateway || took != ms {
				t.Errorf("the stranger is answered %d after %v, want 502 after 1ms", status, took)
			}
		}
		if status, took := order(nil); status != http.StatusOK || took != time.Second {
			t.Errorf("the next one is answered %d after %v, want 200 after 1s", status, took)
		}
		for _, err := range errs {
			if !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("orders' call failed with %v", err)
			}
		}
		time.Sleep(time.Second) // payments works on for nobody
	})
}
