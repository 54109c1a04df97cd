package httphealth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/health"
)

// Service is a server of the two probes alone, over plain HTTP. Put it first in Init's
// list, so that it is stopped last and answers as long as anything runs.
type Service struct {
	host   brunt.Host
	addr   string
	server *http.Server
	log    *slog.Logger
	bound  atomic.Pointer[net.Addr]
}

var _ brunt.Service = (*Service)(nil)

// NewService checks settings and returns the Service. It listens once it serves.
func NewService(s *brunt.Setup, settings Settings, opts ...health.Option) (*Service, error) {
	if err := settings.check(); err != nil {
		return nil, err
	}
	log := s.Telemetry.Logger(scopeName)
	return &Service{
		host: s.Host,
		addr: settings.Addr,
		log:  log,
		server: &http.Server{
			Handler: newHandler(s, settings.Timeout, health.NewProbes(opts...)),
			// A probe is one small request. Whoever takes longer is not a prober.
			ReadTimeout:    5 * time.Second,
			WriteTimeout:   settings.Timeout + 5*time.Second,
			IdleTimeout:    time.Minute,
			MaxHeaderBytes: 8 << 10,
			ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		},
	}, nil
}

// Serve listens and answers until Shutdown. It implements brunt.Service.
func (svc *Service) Serve(ctx context.Context) error {
	l, err := svc.host.Listen(ctx, "tcp", svc.addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", svc.addr, err)
	}
	addr := l.Addr()
	svc.bound.Store(&addr)
	svc.log.InfoContext(ctx, "health probes listening", "address", addr.String())
	if err := svc.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Shutdown ends the server once the probes under way are answered, and when ctx is
// done at the latest. It implements brunt.Service.
func (svc *Service) Shutdown(ctx context.Context) error {
	err := svc.server.Shutdown(ctx)
	if err != nil {
		_ = svc.server.Close() // what is left of it, and the time is up
	}
	return err
}

// Addr is the address the Service listens on, or nil as long as it doesn't.
func (svc *Service) Addr() net.Addr {
	if addr := svc.bound.Load(); addr != nil {
		return *addr
	}
	return nil
}

// String says what a report calls the Service.
func (svc *Service) String() string { return "health probes on " + svc.addr }
