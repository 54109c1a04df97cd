package httpserver_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/httpserver"
)

const left = "X-Envoy-Expected-Rq-Timeout-Ms"

// What a caller says, and how long the handler's context has then.
func TestRemaining(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		header string // of the settings
		in     []string
		own    time.Duration // the deadline the server's context has, or 0 for none
		want   time.Duration // 0 for none
	}{
		{"said", left, []string{"250"}, 0, 250 * time.Millisecond},
		{"least", left, []string{"1"}, 0, time.Millisecond},
		{"most", left, []string{"9999999999"}, 0, 9_999_999_999 * time.Millisecond},
		{"leading_zeros", left, []string{"0000000250"}, 0, 250 * time.Millisecond},
		{"shorter", left, []string{"250"}, time.Second, 250 * time.Millisecond},
		{"longer", left, []string{"250"}, time.Millisecond, time.Millisecond},
		{"other_name", "x-left", []string{"250"}, 0, 0},
		{"no_name", "", []string{"250"}, 0, 0},
		{"not_said", left, nil, time.Second, time.Second},
		{"empty", left, []string{""}, 0, 0},
		{"zero", left, []string{"0"}, 0, 0},
		{"zeros", left, []string{"0000000000"}, 0, 0},
		{"negative", left, []string{"-250"}, 0, 0},
		{"signed", left, []string{"+250"}, 0, 0},
		{"fraction", left, []string{"2.5"}, 0, 0},
		{"exponent", left, []string{"1e3"}, 0, 0},
		{"unit", left, []string{"250ms"}, 0, 0},
		{"space", left, []string{"2 50"}, 0, 0},
		{"other_digits", left, []string{"٣"}, 0, 0},
		{"absurd", left, []string{"10000000000"}, 0, 0},
		{"overflow", left, []string{"9223372036854775807"}, 0, 0},
		{"twice", left, []string{"250", "250"}, 0, 0},
		{"list", left, []string{"250, 250"}, 0, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				settings := httpserver.DefaultSettings()
				settings.RemainingHeader = row.header
				var inner context.Context
				handler, err := httpserver.NewHandler(&brunt.Setup{}, settings, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					inner = r.Context()
					deadline, ok := inner.Deadline()
					if got := time.Until(deadline); ok != (row.want > 0) || ok && got != row.want {
						t.Errorf("with %q the handler has %v, %v, want %v", row.in, got, ok, row.want)
					}
				}))
				if err != nil {
					t.Fatal(err)
				}
				ctx := t.Context()
				if row.own > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, row.own)
					defer cancel()
				}
				r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
				r.Header[left] = row.in
				handler.ServeHTTP(httptest.NewRecorder(), r)
				if hurried := row.want > 0 && row.want != row.own; hurried && inner.Err() == nil {
					t.Error("the context outlives the handler")
				}
			})
		})
	}
}

// Without the header a request costs what it costs where none is read.
func TestRemaining_allocations(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts the whole process
	count := func(header string) float64 {
		settings := httpserver.DefaultSettings()
		settings.RemainingHeader = header
		handler, err := httpserver.NewHandler(&brunt.Setup{}, settings, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		w := &nowhere{header: http.Header{}}
		return testing.AllocsPerRun(1000, func() { handler.ServeHTTP(w, r) })
	}
	if with, without := count(left), count(""); with != without {
		t.Errorf("%v allocations where it is read, %v where it is not", with, without)
	}
}

// The layers outside still know the route, and what the handler's panic came to.
func TestRemaining_layers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		mux := http.NewServeMux()
		mux.HandleFunc("GET /orders/{id}", func(http.ResponseWriter, *http.Request) { panic("boom") })
		w := serve(t, mux, nil)
		if status, _ := get(t, w.client(), "https://orders:9443/orders/7", left, "1000"); status != http.StatusInternalServerError {
			t.Errorf("answered %d, want 500", status)
		}
		w.app.Stop()
		if spans := w.tel.SpansOfKind(trace.SpanKindServer); len(spans) != 1 || spans[0].Name() != "GET /orders/{id}" {
			t.Errorf("spans %v, want one of the route", spans)
		}
		if got := w.warnings(); !slices.Equal(got, []string{"ERROR handler panicked: boom"}) {
			t.Errorf("logged %q", got)
		}
	})
}

// The server outside removes the files of a form, so it must get to know of them.
func TestRemaining_form(t *testing.T) {
	t.Parallel()
	handler, err := httpserver.NewHandler(&brunt.Setup{}, httpserver.DefaultSettings(), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(1 << 10); err != nil {
			t.Error(err)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"item\"\r\n\r\ntea\r\n--x--\r\n"))
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	r.Header.Set(left, "1000")
	handler.ServeHTTP(httptest.NewRecorder(), r)
	if r.MultipartForm == nil || r.MultipartForm.Value["item"][0] != "tea" {
		t.Errorf("the server sees the form %+v", r.MultipartForm)
	}
}
