package httpserver_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

var errBroken = errors.New("broken")

// A panic of the handler fails its request, and is written down on the request's span
// and in the logs. The App goes on.
func TestPanic(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name    string
		handler http.HandlerFunc
		status  int // 0: the connection ends, or the stream
		body    string
		log     string
	}{
		{"value", func(http.ResponseWriter, *http.Request) { panic("boom") }, 500, "internal server error\n", "boom"},
		{"error", func(http.ResponseWriter, *http.Request) { panic(errBroken) }, 500, "internal server error\n", "broken"},
		{"nil_pointer", func(http.ResponseWriter, *http.Request) { var r *http.Request; _ = r.Host }, 500, "internal server error\n", "runtime error: invalid memory address or nil pointer dereference"},
		{"after_headers_were_set", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5")
			w.Header().Set("Content-Encoding", "gzip")
			panic("boom")
		}, 500, "internal server error\n", "boom"},
		{"after_early_hints", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			panic("boom")
		}, 500, "internal server error\n", "boom"},
		// Half an answer must not pass for a whole one.
		{"half_way", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "half of")
			w.(http.Flusher).Flush()
			panic("boom")
		}, 0, "", "boom"},
		{"after_the_header", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			panic("boom")
		}, 0, "", "boom"},
		// This one asks for the connection to end, and nothing to be said.
		{"abort", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0, "", ""},
	}
	for _, row := range rows {
		for _, protocol := range []string{"http/1.1", "h2"} {
			t.Run(row.name+"/"+strings.ReplaceAll(protocol, "/", "_"), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					mux := http.NewServeMux()
					mux.Handle("GET /broken", row.handler)
					mux.HandleFunc("GET /", func(http.ResponseWriter, *http.Request) {})
					w := serve(t, mux, nil)
					c := w.client()
					c.Transport.(*http.Transport).ForceAttemptHTTP2 = protocol == "h2"
					status, body := get(t, c, "https://orders:9443/broken")
					if status != row.status || status != 0 && body != row.body {
						t.Errorf("answered %d %q, want %d %q", status, body, row.status, row.body)
					}
					if status, _ := get(t, c, "https://orders:9443/"); status != 200 {
						t.Errorf("the next request is answered %d", status)
					}
					if status := w.app.Stop(); status.Code() != 0 {
						t.Error(status)
					}

					span := w.tel.SpansOfKind(trace.SpanKindServer)[0]
					logs := w.tel.LogsAt(slog.LevelError)
					if row.log == "" {
						if len(logs) != 0 || len(span.EventsNamed("exception")) != 0 {
							t.Errorf("logged %v", w.warnings())
						}
						return
					}
					if len(logs) != 1 || logs[0].Message != "handler panicked" || logs[0].Attribute("error") != row.log {
						t.Fatalf("logged %v, want one ERROR of %q", w.warnings(), row.log)
					}
					if l := logs[0]; l.TraceID != span.SpanContext().TraceID() || l.Attribute("route") != "GET /broken" || !strings.Contains(l.Attribute("stack"), "panic_test.go") {
						t.Errorf("the record is %+v, want the request's trace, the route and where it was", l)
					}
					if e := span.EventsNamed("exception"); len(e) != 1 || e[0].Attribute("exception.message") != row.log || !strings.Contains(e[0].Attribute("exception.stacktrace"), "panic_test.go") {
						t.Errorf("the span's events are %v", e)
					}
					if span.Status().Code != codes.Error {
						t.Errorf("the span's status is %v", span.Status())
					}
				})
			})
		}
	}
}
