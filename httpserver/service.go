package httpserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/brunt-go/brunt"
)

// Service serves a handler. Several may be in one App.
type Service struct {
	host     brunt.Host
	settings Settings
	handler  *limit
	server   *http.Server
	watch    *watch
	bound    atomic.Pointer[net.Addr]
}

var _ brunt.Service = (*Service)(nil)

// NewService checks settings and returns the Service of handler, behind the layers of
// [NewHandler]. It listens once it serves.
func NewService(s *brunt.Setup, settings Settings, handler http.Handler) (*Service, error) {
	problems := []error{settings.check()}
	if handler == nil {
		problems = append(problems, errors.New("httpserver: the handler is nil"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	settings.TLS = settings.TLS.Clone()
	svc := &Service{
		host:     s.Host,
		settings: settings,
		watch:    &watch{complaints: newComplaints(s.Telemetry.Logger(scopeName)), settings: settings},
	}
	svc.handler = newHandler(s, settings, handler, svc.watch.complaints)
	svc.server = svc.newServer()
	return svc, nil
}

func (svc *Service) newServer() *http.Server {
	settings := svc.settings
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(settings.PlainText)
	return &http.Server{
		Handler:           svc.handler,
		TLSConfig:         settings.TLS,
		Protocols:         protocols,
		ReadHeaderTimeout: settings.ReadHeaderTimeout,
		ReadTimeout:       settings.ReadTimeout,
		WriteTimeout:      settings.WriteTimeout,
		IdleTimeout:       settings.IdleTimeout,
		MaxHeaderBytes:    settings.MaxHeaderBytes,
		ErrorLog:          log.New(svc.watch, "", 0),
		ConnState:         svc.watch.connState,
		ConnContext:       withConn,
		// "OPTIONS *" passes the layers as every other request does.
		DisableGeneralOptionsHandler: true,
	}
}

// Serve listens and serves until Shutdown. It implements brunt.Service.
func (svc *Service) Serve(ctx context.Context) error {
	inner, err := svc.host.Listen(ctx, "tcp", svc.settings.Addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", svc.settings.Addr, err)
	}
	l := newListener(inner, svc.settings.MaxConnections, svc.settings.WriteTimeout, svc.watch.full)
	defer func() { _ = l.Close() }()
	addr := inner.Addr()
	svc.bound.Store(&addr)
	svc.watch.warnOfDates(ctx)
	svc.watch.log.InfoContext(ctx, "http server listening",
		slog.String("address", addr.String()), slog.Bool("tls", svc.settings.TLS != nil))
	// Requests outlive the order to stop, which is what ends ctx.
	svc.server.BaseContext = func(net.Listener) context.Context { return context.WithoutCancel(ctx) }
	serve := func() error { return svc.server.Serve(l) }
	if svc.settings.TLS != nil {
		serve = func() error { return svc.server.ServeTLS(l, "", "") }
	}
	if err := serve(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Shutdown takes no further connections, lets the requests under way finish, and cuts
// them off when ctx is done. It implements brunt.Service.
func (svc *Service) Shutdown(ctx context.Context) error {
	svc.watch.stopping.Store(true)
	err := svc.server.Shutdown(ctx)
	if err == nil {
		err = svc.handler.settle(ctx)
	}
	if err != nil {
		n := svc.handler.running.Load()
		_ = svc.server.Close() // what is left of it, and the time is up
		return fmt.Errorf("requests cut off: %d: %w", n, err)
	}
	return nil
}

// Addr is the address the Service listens on, or nil before it does.
func (svc *Service) Addr() net.Addr {
	if addr := svc.bound.Load(); addr != nil {
		return *addr
	}
	return nil
}

// String says what a report calls the Service.
func (svc *Service) String() string { return "http server on " + svc.settings.Addr }

// leafOf is the certificate of a server in c.
func leafOf(c tls.Certificate) (*x509.Certificate, error) {
	if c.Leaf != nil {
		return c.Leaf, nil
	}
	return x509.ParseCertificate(c.Certificate[0])
}
