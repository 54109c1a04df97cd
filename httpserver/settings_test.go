package httpserver_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/httpserver"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	certificate := brunttest.NewCA(t).Issue(t, "orders").TLS()
	valid := func(change func(*httpserver.Settings)) httpserver.Settings {
		s := httpserver.DefaultSettings()
		s.Addr = ":9443"
		s.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
		change(&s)
		return s
	}
	rows := []struct {
		name string
		in   httpserver.Settings
		want string // without its beginning
	}{
		{"default", httpserver.DefaultSettings(), "Addr: not set, must be host:port\nTLS: not set, must have a certificate, unless PlainText is asked for"},
		{"valid", valid(func(*httpserver.Settings) {}), ""},
		{"plain_text", valid(func(s *httpserver.Settings) { s.TLS, s.PlainText = nil, true }), ""},
		{"both", valid(func(s *httpserver.Settings) { s.PlainText = true }), "TLS: set, must be nil with PlainText"},
		{"everything", httpserver.Settings{}, "Addr: not set, must be host:port\nTLS: not set, must have a certificate, unless PlainText is asked for\n" +
			"ReadHeaderTimeout: 0s, must be positive\nReadTimeout: 0s, must be positive\nWriteTimeout: 0s, must be positive\nIdleTimeout: 0s, must be positive\n" +
			"MaxHeaderBytes: 0, must be positive\nMaxBodyBytes: 0, must be positive\nMaxConnections: 0, must be positive\n" +
			"begin with DefaultSettings(): nothing here has a default of its own"},
		{"negative", valid(func(s *httpserver.Settings) { s.IdleTimeout, s.MaxBodyBytes = -1, -1 }), "IdleTimeout: -1ns, must be positive\nMaxBodyBytes: -1, must be positive"},
		{"order", valid(func(s *httpserver.Settings) { s.ReadTimeout = time.Second }), "ReadHeaderTimeout: 5s, must not be above ReadTimeout, 1s"},
		{"header", valid(func(s *httpserver.Settings) { s.RemainingHeader = "a: b" }), `RemainingHeader: "a: b", must be a header's name`},
		{"no_header", valid(func(s *httpserver.Settings) { s.RemainingHeader = "" }), ""},
		{"no_port", valid(func(s *httpserver.Settings) { s.Addr = "orders" }), `Addr: "orders", must be host:port`},
		{"port", valid(func(s *httpserver.Settings) { s.Addr = ":65536" }), `Addr: ":65536", must have a port from 0 to 65535`},
		{"no_certificate", valid(func(s *httpserver.Settings) { s.TLS = &tls.Config{} }), "TLS: no certificate, must have one, or a function that gets one"},
		{"no_key", valid(func(s *httpserver.Settings) {
			s.TLS.Certificates = append(s.TLS.Certificates, tls.Certificate{Certificate: certificate.Certificate})
		}), "TLS: certificate 2 of 2 is empty or has no key, must have both"},
		{"function", valid(func(s *httpserver.Settings) {
			s.TLS = &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return &certificate, nil }}
		}), ""},
		{"old", valid(func(s *httpserver.Settings) { s.TLS.MinVersion = tls.VersionTLS10 }), "TLS: from TLS 1.0, must be from TLS 1.2 or later"},
		{"whose_certificates", valid(func(s *httpserver.Settings) { s.TLS.ClientAuth = tls.VerifyClientCertIfGiven }),
			"TLS: VerifyClientCertIfGiven without ClientCAs, must name the authorities"},
		{"named_authorities", valid(func(s *httpserver.Settings) {
			s.TLS.ClientAuth, s.TLS.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		}), ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			svc, err := httpserver.NewService(&brunt.Setup{}, row.in, http.NotFoundHandler())
			want := row.want
			if want != "" {
				want = "httpserver settings: " + want
			}
			if got := text(err); got != want {
				t.Errorf("NewService(%+v) = %q, want %q", row.in, got, want)
			}
			if (svc == nil) != (err != nil) {
				t.Errorf("NewService(%+v) = %v, %v: one of the two", row.in, svc, err)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Everything a constructor is given, and what is not there.
func TestNewHandler_settings(t *testing.T) {
	t.Parallel()
	_, err := httpserver.NewHandler(&brunt.Setup{}, httpserver.Settings{RemainingHeader: "ß"}, nil)
	if got, want := text(err), "httpserver settings: RemainingHeader: \"ß\", must be a header's name\nMaxBodyBytes: 0, must be positive\nhttpserver: the handler is nil"; got != want {
		t.Errorf("NewHandler() = %q, want %q", got, want)
	}
	if _, err := httpserver.NewService(&brunt.Setup{}, httpserver.Settings{}, nil); !strings.Contains(text(err), "\nhttpserver: the handler is nil") {
		t.Errorf("NewService() = %v", err)
	}
}

// The caller's TLS settings are its own, before and after.
func TestNewService_copiesTLS(t *testing.T) {
	t.Parallel()
	settings := httpserver.DefaultSettings()
	settings.Addr = ":0"
	settings.TLS = &tls.Config{Certificates: []tls.Certificate{brunttest.NewCA(t).Issue(t, "orders").TLS()}}
	host := brunttest.NewHost(t)
	svc, err := httpserver.NewService(&brunt.Setup{Host: host.Host()}, settings, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	if svc.Addr() != nil || svc.String() != "http server on :0" {
		t.Errorf("before it serves: %v, %v", svc.Addr(), svc)
	}
	served := make(chan error, 1)
	go func() { served <- svc.Serve(t.Context()) }()
	if err := svc.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve() = %v", err)
	}
	if len(settings.TLS.NextProtos) != 0 {
		t.Errorf("the caller's TLS settings have %q now", settings.TLS.NextProtos)
	}
}

func FuzzCheckAddr(f *testing.F) {
	for _, seed := range []string{"", ":0", "localhost:8080", "[::1]:65535", "a:b:c", "x:-1", ":+1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, addr string) {
		if err := httpserver.CheckAddr(addr); err != nil && strings.Contains(err.Error(), "Addr") {
			t.Errorf("CheckAddr(%q) names the field: %v", addr, err)
		}
	})
}
