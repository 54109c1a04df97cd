package httpserver_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/httpserver"
)

// newAPI is the service's own code.
func newAPI() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "order %s\n", r.PathValue("id"))
	})
	return mux
}

// The Init of a service that serves over TLS, with certificates from files, and trusts
// the scenarios of callers whose certificate the mesh's authority vouches for. In main:
// httpserver.Main(initialize).
func ExampleNewService() {
	initialize := func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		addr, err := config.Env(s.Process.Environment, "ORDERS_ADDR").Default(":8443").Validate(httpserver.CheckAddr).Read(ctx)
		if err != nil {
			return nil, err
		}
		certificate, mesh, err := certificates(s)
		if err != nil {
			return nil, err
		}
		settings := httpserver.DefaultSettings()
		settings.Addr = addr
		settings.TLS = &tls.Config{
			Certificates: []tls.Certificate{certificate},
			ClientAuth:   tls.VerifyClientCertIfGiven,
			ClientCAs:    mesh,
		}
		settings.TrustScenario = func(r *http.Request) bool {
			return r.TLS != nil && len(r.TLS.VerifiedChains) > 0
		}
		api, err := httpserver.NewService(s, settings, newAPI())
		if err != nil {
			return nil, err
		}
		return []brunt.Service{api}, nil
	}
	_, err := initialize(context.Background(), &brunt.Setup{Host: brunt.Host{
		ReadFile: func(name string) ([]byte, error) { return nil, fmt.Errorf("no %s on this machine", name) },
	}})
	fmt.Println(err)
	// Output: no /etc/orders/tls.crt on this machine
}

// certificates reads the service's own certificate, and the authorities of the mesh.
func certificates(s *brunt.Setup) (certificate tls.Certificate, mesh *x509.CertPool, err error) {
	var pem [3][]byte
	for i, name := range []string{"/etc/orders/tls.crt", "/etc/orders/tls.key", "/etc/orders/mesh.crt"} {
		if pem[i], err = s.Host.ReadFile(name); err != nil {
			return certificate, nil, err
		}
	}
	mesh = x509.NewCertPool()
	mesh.AppendCertsFromPEM(pem[2])
	certificate, err = tls.X509KeyPair(pem[0], pem[1])
	return certificate, mesh, err
}

// What is wrong is said all at once.
func ExampleSettings() {
	settings := httpserver.DefaultSettings()
	settings.Addr = "orders"
	settings.MaxBodyBytes = 0
	_, err := httpserver.NewService(&brunt.Setup{}, settings, newAPI())
	fmt.Println(err)
	// Output:
	// httpserver settings: Addr: "orders", must be host:port
	// TLS: not set, must have a certificate, unless PlainText is asked for
	// MaxBodyBytes: 0, must be positive
}

// The layers around a handler, for an http.Server of one's own.
func ExampleNewHandler() {
	s := &brunt.Setup{} // in an App, the one Init is given
	handler, err := httpserver.NewHandler(s, httpserver.DefaultSettings(), newAPI())
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), "GET", "/orders/7", nil))
	fmt.Print(w.Code, " ", w.Body)
	// Output: 200 order 7
}
