package compat

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/httpclient"
)

// Answers come through as they are sent: whole, in chunks, compressed, in parts, and with
// trailers.
func TestHTTPBin_answers(t *testing.T) {
	t.Parallel()
	each(t, nil, nil, func(t *testing.T, b *bin) {
		whole, chunks := b.get("/bytes/100000?seed=1"), b.get("/stream-bytes/100000?seed=1&chunk_size=777")
		if len(whole.body) != 100_000 || sha256.Sum256([]byte(whole.body)) != sha256.Sum256([]byte(chunks.body)) {
			t.Errorf("%d bytes at once and %d in chunks, or not the same", len(whole.body), len(chunks.body))
		}
		if whole.resp.ContentLength != 100_000 || chunks.resp.ContentLength != -1 {
			t.Errorf("announced %d and %d, want 100000 and nothing", whole.resp.ContentLength, chunks.resp.ContentLength)
		}
		if got := b.get("/gzip"); !got.resp.Uncompressed || !strings.Contains(got.body, `"gzipped": true`) {
			t.Errorf("gzip: uncompressed %v, %s", got.resp.Uncompressed, got.body)
		}
		if got := b.get("/gzip", "Accept-Encoding", "gzip"); got.header.Get("Content-Encoding") != "gzip" || !bytes.HasPrefix([]byte(got.body), []byte{0x1f, 0x8b}) {
			t.Errorf("gzip, asked for by the caller: %q", got.body)
		}
		if got := b.get("/range/1000", "Range", "bytes=10-19"); got.status != http.StatusPartialContent || got.body != "klmnopqrst" {
			t.Errorf("range: %d %q", got.status, got.body)
		}
		if got := b.get("/stream/5"); strings.Count(got.body, "\n") != 5 {
			t.Errorf("stream: %q", got.body)
		}
		if got := b.get("/trailers?x-sum=7"); got.resp.Trailer.Get("X-Sum") != "7" {
			t.Errorf("trailers: %v", got.resp.Trailer)
		}
		if n := len(b.requests()); n != 7 || b.outcomes() != "7 success" {
			t.Errorf("%d requests, the breaker counts %s, want one for each call", n, b.outcomes())
		}
	})
}

// torn lets so many bytes of an answer's body pass, and cuts the connection then, or the
// stream. With none the header does not pass either.
func torn(bytes int) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if bytes == 0 {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(&tearing{w, bytes}, r)
		})
	}
}

type tearing struct {
	http.ResponseWriter
	left int
}

// Write implements http.ResponseWriter.
func (t *tearing) Write(p []byte) (int, error) {
	if len(p) <= t.left {
		t.left -= len(p)
		return t.ResponseWriter.Write(p)
	}
	_, _ = t.ResponseWriter.Write(p[:t.left])
	t.Flush()
	panic(http.ErrAbortHandler)
}

// Flush implements http.Flusher.
func (t *tearing) Flush() { _ = http.NewResponseController(t.ResponseWriter).Flush() }

// A body that breaks off is an error for who reads it, and no retry: the caller has begun
// to. One of an answer that nobody wants is none.
func TestHTTPBin_tornBody(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, target string
		status       int
		attempts     int
		outcomes     string
	}{
		{"announced", "/bytes/5000", 200, 1, "1 success"},
		{"in_chunks", "/stream-bytes/5000?chunk_size=500", 200, 1, "1 success"},
		{"compressed", "/gzip", 200, 1, "1 success"},
		{"unwanted", "/drip?delay=0&duration=0&numbytes=5000&code=503", 503, 3, "3 failure"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			each(t, torn(100), nil, func(t *testing.T, b *bin) {
				got := b.get(row.target)
				if got.status != row.status || got.err != nil || got.bodyErr == nil || len(got.body) > 100 {
					t.Errorf("answered %d, %v, the body has %d bytes, %v; want %d and a body that breaks off", got.status, got.err, len(got.body), got.bodyErr, row.status)
				}
				if got.resp != nil && got.resp.ProtoMajor == 1 && !errors.Is(got.bodyErr, io.ErrUnexpectedEOF) {
					t.Errorf("the body ends with %v, want an unexpected end", got.bodyErr)
				}
				if n := len(b.requests()); n != row.attempts || b.outcomes() != row.outcomes {
					t.Errorf("%d attempts, the breaker counts %s, want %d, %s", n, b.outcomes(), row.attempts, row.outcomes)
				}
			})
		})
	}
}

// R94: a connection that ends without an answer is tried again, and is a failure.
func TestHTTPBin_noAnswer(t *testing.T) {
	t.Parallel()
	rows := []struct {
		method    string
		attempts  int
		outcomes  string
		decisions string
	}{
		{"GET", 3, "3 failure", "2 retry, 1 exhausted"},
		{"PUT", 3, "3 failure", "2 retry, 1 exhausted"},
		{"POST", 1, "1 failure", "1 stop"},
	}
	for _, row := range rows {
		t.Run(row.method, func(t *testing.T) {
			t.Parallel()
			each(t, torn(0), nil, func(t *testing.T, b *bin) {
				got := b.do(t.Context(), row.method, "/anything", strings.NewReader("x"))
				if n := len(b.requests()); got.err == nil || n != row.attempts {
					t.Errorf("answered %d, %v after %d attempts, want an error after %d", got.status, got.err, n, row.attempts)
				}
				if b.outcomes() != row.outcomes || b.decisions() != row.decisions {
					t.Errorf("the breaker counts %s, the retries %s, want %s and %s", b.outcomes(), b.decisions(), row.outcomes, row.decisions)
				}
			})
		})
	}
}

// R92, R95, R99, R103, R188 to R190: what a scenario does to calls of a service that
// knows nothing of it, and what that service says has arrived.
func TestHTTPBin_scenario(t *testing.T) {
	t.Parallel()
	for _, forward := range []bool{false, true} {
		t.Run("forward_"+strconv.FormatBool(forward), func(t *testing.T) {
			t.Parallel()
			each(t, nil, func(s *httpclient.Settings) { s.ForwardScenario = forward }, func(t *testing.T, b *bin) {
				point := "http:" + strings.TrimPrefix(strings.TrimPrefix(b.server.URL, "https://"), "http://")
				aborted := b.carrying(point, "/get", fit.Fault{Abort: true})
				var injected *fault.InjectedError
				if !errors.Is(aborted.err, fit.ErrInjected) || !errors.As(aborted.err, &injected) || injected.Point != point || len(b.requests()) != 0 {
					t.Errorf("aborted: %d, %v, want an injected failure, and nothing to arrive", aborted.status, aborted.err)
				}
				if b.outcomes() != "3 failure" || b.decisions() != "2 retry, 1 exhausted" {
					t.Errorf("aborted: the breaker counts %s, the retries %s", b.outcomes(), b.decisions())
				}
				spared := b.carrying("http:elsewhere:80", "/headers", fit.Fault{Abort: true})
				var said struct{ Headers map[string][]string }
				if err := json.Unmarshal([]byte(spared.body), &said); err != nil || spared.status != 200 {
					t.Fatalf("spared: %d %s, %v", spared.status, spared.body, err)
				}
				arrived, err := baggage.Parse(strings.Join(said.Headers["Baggage"], ","))
				if err != nil || arrived.Member("tenant").Value() != "acme" || (arrived.Member(faultKey).Key() != "") != forward {
					t.Errorf("arrived: %q, %v, want the tenant, and the scenario: %v", said.Headers["Baggage"], err, forward)
				}
				spans := b.tel.SpansOfKind(trace.SpanKindClient)
				last := spans[len(spans)-1]
				if got := said.Headers["Traceparent"]; len(got) != 1 || !strings.Contains(got[0], last.SpanContext().SpanID().String()) {
					t.Errorf("arrived: %q, want the attempt's span %s", got, last.SpanContext().SpanID())
				}
				if n := len(last.EventsNamed("brunt.fit.strip")); n != map[bool]int{false: 1, true: 0}[forward] {
					t.Errorf("stripped %d times", n)
				}
			})
		})
	}
}

// carrying makes a call with a tenant and a scenario of one rule in its baggage.
func (b *bin) carrying(point, target string, f fit.Fault) reply {
	b.t.Helper()
	codec, err := jsonscenario.New(faultKey)
	if err != nil {
		b.t.Fatal(err)
	}
	bag, err := baggage.Parse("tenant=acme")
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, err := fit.ContextWithScenario(baggage.ContextWithBaggage(b.t.Context(), bag), codec, fit.Scenario{Rules: []fit.Rule{{Point: point, Fault: f}}})
	if err != nil {
		b.t.Fatal(err)
	}
	return b.do(ctx, http.MethodGet, target, nil)
}
