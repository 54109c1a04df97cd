package httpserver_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/httpserver"
)

// takes is a handler that takes the time the path says, or until its request ends.
var takes = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	d, err := time.ParseDuration(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case <-time.After(d):
		fmt.Fprint(w, "done")
	case <-r.Context().Done():
	}
})

// asked is how a request ended.
type asked struct {
	status int
	body   string
	took   time.Duration
}

// ask sends a request that takes d, from a client of its own.
func (w *world) ask(t *testing.T, d time.Duration, protocol string) <-chan asked {
	t.Helper()
	c := w.client()
	transport := c.Transport.(*http.Transport)
	transport.ForceAttemptHTTP2 = protocol == "h2"
	scheme := "https"
	if protocol == "plain" || protocol == "h2c" {
		scheme = "http"
		transport.Protocols = new(http.Protocols)
		transport.Protocols.SetHTTP1(protocol == "plain")
		transport.Protocols.SetUnencryptedHTTP2(protocol == "h2c")
	}
	ended := make(chan asked, 1)
	began := time.Now()
	go func() {
		status, body := get(t, c, scheme+"://orders:9443/"+d.String())
		ended <- asked{status, body, time.Since(began)}
	}()
	synctest.Wait()
	return ended
}

// On the order to stop, the requests under way are finished, in every protocol.
func TestShutdown(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"http_1.1", "h2", "plain", "h2c"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := serve(t, takes, func(s *httpserver.Settings, _ *brunttest.CA) {
					if protocol == "plain" || protocol == "h2c" {
						s.TLS, s.PlainText = nil, true
					}
				})
				ended := w.ask(t, 15*time.Second, protocol)
				time.Sleep(3 * time.Second)
				began := time.Now()
				w.app.Signal(syscall.SIGTERM)
				synctest.Wait()
				if _, err := w.host.DialContext(t.Context(), "tcp", "orders:9443"); err == nil {
					t.Error("it takes connections while it stops")
				}
				if got := <-ended; got != (asked{200, "done", 15 * time.Second}) {
					t.Errorf("the request under way: %+v", got)
				}
				status := <-w.status
				// net/http looks every now and then, every half second at the latest.
				if took := time.Since(began).Truncate(time.Second); status.Code() != 0 || took != 12*time.Second {
					t.Errorf("ended with %v after %v, want 0 after 12s", status, took)
				}
				if got := w.warnings(); len(got) != 0 {
					t.Errorf("logged %q", got)
				}
			})
		})
	}
}

// What does not end within the grace period is cut off, and the report says how many.
func TestShutdown_grace(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"http_1.1", "h2"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := serve(t, takes, func(s *httpserver.Settings, _ *brunttest.CA) { s.WriteTimeout = time.Hour })
				short, long := w.ask(t, 5*time.Second, protocol), w.ask(t, time.Minute, protocol)
				longer := w.ask(t, 2*time.Minute, protocol)
				began := time.Now()
				status := w.app.Stop()
				if took := time.Since(began); took != 20*time.Second || status.Code() != brunt.ExitFailure {
					t.Errorf("ended with %v after %v, want 1 after 20s", status, took)
				}
				if got := <-short; got != (asked{200, "done", 5 * time.Second}) {
					t.Errorf("the short request: %+v", got)
				}
				for _, ended := range []<-chan asked{long, longer} {
					if got := <-ended; got.status != 0 || got.took != 20*time.Second {
						t.Errorf("a long request: %+v, want a failure after 20s", got)
					}
				}
				if got, want := w.warnings(), []string{"ERROR service 1 of 1 (http server on orders:9443): shutdown: requests cut off: 2: context deadline exceeded"}; !slices.Equal(got, want) {
					t.Errorf("logged %q, want %q", got, want)
				}
			})
		})
	}
}

// While the App drains it serves, and asks its clients to come back on another
// connection.
func TestDrain(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"http/1.1", "h2"} {
		t.Run(strings.ReplaceAll(protocol, "/", "_"), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var peers []string
				handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					peers = append(peers, r.RemoteAddr)
					if r.URL.Path == "/panic" {
						panic("boom")
					}
				})
				w := serve(t, handler, nil, brunttest.WithApp(brunt.WithDrain(10*time.Second)))
				c := w.client()
				c.Transport.(*http.Transport).ForceAttemptHTTP2 = protocol == "h2"
				ask := func(path string, status int) {
					t.Helper()
					if got, body := get(t, c, "https://orders:9443"+path); got != status {
						t.Errorf("answered %d %q", got, body)
					}
					synctest.Wait()
				}
				ask("/", 200)
				ask("/", 200)
				w.app.Signal(syscall.SIGTERM)
				synctest.Wait()
				ask("/", 200)
				ask("/panic", 500)
				ask("/", 200)
				if peers[0] != peers[1] || peers[1] != peers[2] {
					t.Errorf("connections %q: before the drain a connection is kept", peers)
				}
				if peers[2] == peers[3] || peers[3] == peers[4] {
					t.Errorf("connections %q: in the drain none is used again", peers)
				}
				if status := <-w.status; status.Code() != 0 {
					t.Error(status)
				}
			})
		})
	}
}

// The order to stop does not end the requests' contexts, and they carry what came
// with the App's.
func TestServe_context(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var err error
		w := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			time.Sleep(2 * time.Second)
			err = r.Context().Err()
		}), nil)
		ended := w.ask(t, 0, "h2")
		w.app.Signal(syscall.SIGTERM)
		if got := <-ended; got.status != 200 || err != nil {
			t.Errorf("the request: %+v, its context: %v", got, err)
		}
		<-w.status
	})
}

// Connections above the limit wait for a place, one record says so, and those who have
// one are served.
func TestMaxConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := serve(t, reader, func(s *httpserver.Settings, _ *brunttest.CA) {
			s.TLS, s.PlainText, s.MaxConnections = nil, true, 3
		})
		var all []net.Conn
		for range 10 {
			all = append(all, w.dial(t, ""))
		}
		synctest.Wait()
		const request = "GET / HTTP/1.1\r\nHost: orders\r\n\r\n"
		answers := make(chan string, len(all))
		for i, c := range all {
			go func() {
				io.WriteString(c, request)
				answers <- fmt.Sprint(i/3, " ", answer(c))
				time.Sleep(100 * time.Millisecond)
				c.Close()
			}()
		}
		synctest.Wait()
		if n := len(answers); n != 3 {
			t.Errorf("%d are answered, want 3", n)
		}
		for range all {
			if got := <-answers; !strings.HasSuffix(got, "HTTP/1.1 204 No Content") {
				t.Errorf("answered %q", got)
			}
		}
		if got := w.warnings(); !slices.Equal(got, []string{"WARN connections at the limit, further ones wait: "}) && !slices.Equal(got, []string{"WARN connections at the limit, further ones wait"}) {
			t.Errorf("logged %q, want one record", got)
		}
		if status := w.app.Stop(); status.Code() != 0 {
			t.Error(status)
		}
	})
}

// A server that has no place left stops all the same.
func TestMaxConnections_stop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := serve(t, takes, func(s *httpserver.Settings, _ *brunttest.CA) { s.MaxConnections = 1 })
		ended := w.ask(t, 10*time.Second, "http_1.1")
		began := time.Now()
		if status := w.app.Stop(); status.Code() != 0 || time.Since(began).Truncate(time.Second) != 10*time.Second {
			t.Errorf("ended with %v after %v", status, time.Since(began))
		}
		if got := <-ended; got.status != 200 {
			t.Errorf("the request under way: %+v", got)
		}
	})
}

// A port that is taken is an error that says which.
func TestServe_portTaken(t *testing.T) {
	t.Parallel()
	host := brunttest.NewHost(t)
	l, err := host.Listen("tcp", "orders:9443")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	settings := httpserver.DefaultSettings()
	settings.Addr, settings.PlainText = "orders:9443", true
	svc, err := httpserver.NewService(&brunt.Setup{Host: host.Host()}, settings, reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := svc.Serve(context.Background()); err == nil || !strings.HasPrefix(err.Error(), "listen on orders:9443: ") {
		t.Errorf("Serve() = %v", err)
	}
}
