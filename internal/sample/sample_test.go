package sample

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/network/memnet"
)

// ask serves h and returns what path answers and how long it took, in fake time.
func ask(t *testing.T, h http.Handler, path string) (status int, body map[string]any, took time.Duration) {
	t.Helper()
	w := httptest.NewRecorder()
	start := time.Now()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Errorf("%s answered %q: %v", path, w.Body, err)
	}
	return w.Code, body, time.Since(start)
}

func TestCatalog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := Catalog(DefaultCatalogSettings())
		stalled := 0
		for i := range 200 {
			status, body, took := ask(t, h, "/record?no=K-903&index="+strconv.Itoa(i))
			if status != 200 || body["author"] != "Sabahattin Ali" || took != 0 && took != 150*time.Millisecond {
				t.Fatalf("record %d: %d %v after %v", i, status, body, took)
			}
			if took > 0 {
				stalled++
			}
		}
		if stalled != 10 {
			t.Errorf("%d of 200 requests stall, want the published 10", stalled)
		}
		if status, body, _ := ask(t, h, "/record?no=K-1"); status != 404 || body["error"] != "no such book" {
			t.Errorf("an unknown book: %d %v", status, body)
		}
		if status, body, _ := ask(t, h, "/healthz"); status != 200 || body["status"] != "ok" {
			t.Errorf("healthz: %d %v", status, body)
		}
	})
}

// The guards of the loan desk, each with and without its fault.
func TestLoan(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name     string
		catalog  http.HandlerFunc
		fallback bool
		status   int
		outcome  any
		took     time.Duration
	}{
		{"full", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(`{"title":"book"}`)) }, true, 200, "full", 0},
		{"slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, true, 200, "degraded", 100 * time.Millisecond},
		{"slow_no_fallback", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, false, 503, nil, 100 * time.Millisecond},
		{"error", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, true, 200, "degraded", 0},
		{"garbage", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) }, true, 200, "degraded", 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := memnet.New()
				l, err := n.Listen("tcp", "catalog:80")
				if err != nil {
					t.Fatal(err)
				}
				seen := make(chan string, 1)
				server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					seen <- r.Header.Get("Traceparent")
					row.catalog(w, r)
				})}
				ended := make(chan error)
				go func() { ended <- server.Serve(l) }()
				s := DefaultLoanSettings()
				transport := &http.Transport{DialContext: n.DialContext}
				s.Catalog, s.Fallback, s.Client = "http://catalog:80", row.fallback, &http.Client{Transport: transport}
				h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					r.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
					Loan(s).ServeHTTP(w, r)
				})
				status, body, took := ask(t, h, "/lend?no=K-903&index=3")
				if status != row.status || body["status"] != row.outcome || took != row.took {
					t.Errorf("%d %v after %v, want %d %v after %v", status, body, took, row.status, row.outcome, row.took)
				}
				if trace := <-seen; !strings.Contains(trace, "4bf92f3577b34da6a3ce929d0e0e4736") {
					t.Errorf("the trace context was not passed on: %q", trace)
				}
				transport.CloseIdleConnections()
				if err := server.Shutdown(context.Background()); err != nil {
					t.Error(err)
				}
				if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
					t.Error(err)
				}
			})
		})
	}
}
