package httpserver_test

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// A handler that is done leaves somebody behind who reads on, as a proxy may, while the
// client leaves. Shown by the race detector.
func TestBadClients_readOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			go func() { _, _ = io.Copy(io.Discard, r.Body) }()
			time.Sleep(time.Millisecond)
		}), nil)
		for range 100 {
			c := w.dial(t, "http/1.1")
			say("POST / HTTP/1.1\r\nHost: orders\r\nContent-Length: 10\r\n\r\nshort")(c)
			time.Sleep(time.Millisecond)
			c.Close()
		}
		if status := w.app.Stop(); status.Code() != 0 {
			t.Error(status)
		}
	})
}
