package httpclient_test

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/net/http2"

	"github.com/brunt-go/brunt/httpclient"
)

// A service that sends each connection away before it takes a request costs a few of
// them, and not as many as there is time for.
func TestClient_sentAway(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		config := &tls.Config{Certificates: []tls.Certificate{r.ca.Issue(t, "bad").TLS()}, NextProtos: []string{"h2"}}
		l, err := r.host.Listen("tcp", "bad:8443")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		var accepted atomic.Int64
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				accepted.Add(1)
				go sendAway(tls.Server(c, config))
			}
		}()
		r.client = r.newClient(func(s *httpclient.Settings) { s.BaseURL = "https://bad:8443" })
		_, err = r.get()
		if want := "bad:8443: gave up after 3 connections that were closed before they took the request"; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if n := accepted.Load(); n != 9 || len(r.attempts()) != 3 {
			t.Errorf("%d connections for %d attempts, want 9 for 3", n, len(r.attempts()))
		}
	})
}

// sendAway says of the first request that it was not looked at, and to try elsewhere.
func sendAway(c net.Conn) {
	defer c.Close()
	_, _ = io.ReadFull(c, make([]byte, len(http2.ClientPreface)))
	f := http2.NewFramer(c, c)
	_ = f.WriteSettings()
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return
		}
		if _, ok := frame.(*http2.HeadersFrame); ok {
			_ = f.WriteGoAway(0, http2.ErrCodeNo, nil)
		}
	}
}

// Many calls at once have a connection each, and again when those are gone.
func TestClient_manyConnections(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		r.host.Serve("payments:80", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") }), nil)
		r.client = r.newClient(func(s *httpclient.Settings) { s.BaseURL = "http://payments" })
		for range 3 {
			var calls sync.WaitGroup
			for range 50 {
				calls.Go(func() {
					if status, _, err := r.do(t.Context(), http.MethodPost, "/charge", nil); status != 200 {
						t.Errorf("%d, %v", status, err)
					}
				})
			}
			calls.Wait()
		}
	})
}
