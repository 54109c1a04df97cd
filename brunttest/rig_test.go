package brunttest_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/brunt-go/brunt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is a small HTTP Service.
type server struct {
	setup   *brunt.Setup
	address string
	http    http.Server
}

// newServer returns the Init of an App with one server.
func newServer(address string, config *tls.Config, handler http.HandlerFunc) func(context.Context, *brunt.Setup) ([]brunt.Service, error) {
	return func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		return []brunt.Service{&server{setup: s, address: address, http: http.Server{Handler: handler, TLSConfig: config}}}, nil
	}
}

// Serve implements brunt.Service.
func (s *server) Serve(ctx context.Context) error {
	l, err := s.setup.Host.Listen(ctx, "tcp", s.address)
	if err != nil {
		return err
	}
	serve := func() error { return s.http.Serve(l) }
	if s.http.TLSConfig != nil {
		serve = func() error { return s.http.ServeTLS(l, "", "") }
	}
	if err := serve(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Shutdown implements brunt.Service.
func (s *server) Shutdown(ctx context.Context) error { return s.http.Shutdown(ctx) }

// witness is a testing.TB that keeps failures and logs for itself, and runs its cleanups when
// told to.
type witness struct {
	testing.TB
	mu       sync.Mutex
	failures []string
	logs     []string
	cleanups []func()
}

func (w *witness) Helper() {}

func (w *witness) Failed() bool { return w.said() != "" }

func (w *witness) Cleanup(f func()) { w.cleanups = append(w.cleanups, f) }

func (w *witness) Logf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.logs = append(w.logs, fmt.Sprintf(format, args...))
}

func (w *witness) Errorf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failures = append(w.failures, fmt.Sprintf(format, args...))
}

func (w *witness) Fatalf(format string, args ...any) {
	w.Errorf(format, args...)
	runtime.Goexit()
}

// said returns the failures, a line each.
func (w *witness) said() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.failures, "\n")
}

// logged returns the logs, a line each.
func (w *witness) logged() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.logs, "\n")
}

// end does what the end of a test does.
func (w *witness) end() {
	for len(w.cleanups) > 0 {
		last := len(w.cleanups) - 1
		f := w.cleanups[last]
		w.cleanups = w.cleanups[:last]
		f()
	}
}

// fatal runs f, which may call Fatalf.
func (w *witness) fatal(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// get returns what a URL answers.
func get(t testing.TB, client *http.Client, url string) string {
	t.Helper()
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func listen(t testing.TB, h interface {
	Listen(network, address string) (net.Listener, error)
}, address string) net.Listener {
	t.Helper()
	l, err := h.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
