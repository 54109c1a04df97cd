package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/brunt-go/brunt"
)

// server is a Service around an http.Server.
type server struct {
	host brunt.Host
	http http.Server
	log  *slog.Logger
}

func newServer(s *brunt.Setup, addr string, handler http.Handler) *server {
	log := s.Telemetry.Logger("orders")
	return &server{host: s.Host, log: log, http: http.Server{
		Addr:              addr,
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}}
}

// Serve listens through the Host, so that a test can have it in memory. It serves on
// while the App drains: ctx is done by then, and is not the requests' context.
func (srv *server) Serve(ctx context.Context) error {
	l, err := srv.host.Listen(ctx, "tcp", srv.http.Addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", srv.http.Addr, err)
	}
	srv.log.InfoContext(ctx, "orders listening", "address", l.Addr().String())
	if err := srv.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Shutdown lets the requests under way finish, and drops them when the time is up.
func (srv *server) Shutdown(ctx context.Context) error {
	err := srv.http.Shutdown(ctx)
	if err != nil {
		_ = srv.http.Close()
	}
	return err
}

func (srv *server) String() string { return "orders on " + srv.http.Addr }
