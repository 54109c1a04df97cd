package httpclient_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/brunt-go/brunt/httpclient"
)

// A body that is streamed, and stops: whoever is to give the rest of it does not. The
// attempt ends in time, and what ends it is the service's doing. D2.
func TestClient_stream(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		http2  bool
		handle func(net.Conn)
		want   string
		took   time.Duration
	}{
		{"http1_never_answers", false, func(c net.Conn) { io.Copy(io.Discard, c) }, "context deadline exceeded (AttemptTimeout of 5s exceeded)", 5 * second},
		{"http1_closes", false, func(c net.Conn) {
			request(c)
			_, _ = c.Read(make([]byte, 10))
			time.Sleep(second)
		}, "context deadline exceeded (AttemptTimeout of 5s exceeded)", 5 * second}, // net/http waits for the body
		{"http2_resets", true, nil, "stream error: stream ID 1; INTERNAL_ERROR; received from peer", 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			story(t, nil, nil, func(t *testing.T, r *rig) {
				base := "http://bad"
				if row.http2 {
					base = "https://bad:80"
					config := &tls.Config{Certificates: []tls.Certificate{r.ca.Issue(t, "bad").TLS()}}
					r.host.Serve("bad:80", http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
						_, _ = req.Body.Read(make([]byte, 1))
						panic(http.ErrAbortHandler)
					}), config)
				} else {
					raw(t, r.host, "bad:80", row.handle)
				}
				r.client = r.newClient(func(s *httpclient.Settings) { s.BaseURL = base })
				ctx, end := r.carrying()
				defer end()
				stream, source := io.Pipe()
				go func() { _, _ = io.WriteString(source, "1 ") }() // and no more
				start := time.Now()
				_, _, err := r.do(ctx, http.MethodPut, "/charge", stream)
				if want := `Put "/charge": bad:80: ` + row.want; err == nil || err.Error() != want || time.Since(start) != row.took {
					t.Errorf("%v after %v, want %s after %v", err, time.Since(start), want, row.took)
				}
				if row.took > 0 && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v is no deadline's", err)
				}
				failures := r.tel.Sum("brunt.circuit.calls", attribute.String("brunt.circuit.outcome", "failure"))
				if failures != 1 || len(r.attempts()) != 1 {
					t.Errorf("%v failures in %d attempts", failures, len(r.attempts()))
				}
				if _, err := io.Copy(source, strings.NewReader("EUR")); !errors.Is(err, io.ErrClosedPipe) {
					t.Errorf("the body is left open: %v", err)
				}
			})
		})
	}
}

// The caller's going away ends a call at once that waits for its body.
func TestClient_streamCancelled(t *testing.T) {
	t.Parallel()
	story(t, nil, nil, func(t *testing.T, r *rig) {
		raw(t, r.host, "bad:80", func(c net.Conn) { io.Copy(io.Discard, c) })
		r.client = r.newClient(func(s *httpclient.Settings) { s.BaseURL = "http://bad" })
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(second, cancel)
		stream, _ := io.Pipe()
		start := time.Now()
		_, _, err := r.do(ctx, http.MethodPut, "/charge", stream)
		ignored := r.tel.Sum("brunt.circuit.calls", attribute.String("brunt.circuit.outcome", "ignored"))
		if !errors.Is(err, context.Canceled) || time.Since(start) != second || ignored != 1 {
			t.Errorf("%v after %v, %v ignored", err, time.Since(start), ignored)
		}
	})
}
