package brunttest_test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/brunttest"
)

// The standard library's HTTP runs over a Host, with TLS and without, HTTP/1.1 and
// HTTP/2, and in fake time.
func TestHost_http(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		scheme string
		next   []string // what the server speaks over TLS
		want   string
	}{
		{"plain", "http", nil, "HTTP/1.1 false"},
		{"http1_tls", "https", []string{"http/1.1"}, "HTTP/1.1 true"},
		{"http2_tls", "https", nil, "HTTP/2.0 true"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h, ca := brunttest.NewHost(t), brunttest.NewCA(t)
				var config *tls.Config
				if row.scheme == "https" {
					config = &tls.Config{Certificates: []tls.Certificate{ca.Issue(t, "orders").TLS()}, NextProtos: row.next}
				}
				h.Named("orders").Serve(":8443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					time.Sleep(14 * time.Second)
					fmt.Fprint(w, r.Proto, " ", r.TLS != nil)
				}), config)
				client := h.HTTPClient()
				client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: ca.Pool()}
				begin := time.Now()
				for range 2 { // the second over the same connection
					if got := get(t, client, row.scheme+"://orders:8443/"); got != row.want {
						t.Errorf("the server saw %q, want %q", got, row.want)
					}
				}
				if took := time.Since(begin); took != 28*time.Second {
					t.Errorf("took %v, want 28s", took)
				}
			})
		})
	}
}

// A client that keeps a connection for later is no connection left open.
func TestHost_HTTPClient_idle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &witness{TB: t}
		h := brunttest.NewHost(w)
		l := listen(t, h, "orders:80")
		go http.Serve(l, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		get(t, h.HTTPClient(), "http://orders:80/")
		l.Close() // which leaves the connection as it is
		w.end()
		if got := w.said(); got != "" {
			t.Errorf("the test failed with %q", got)
		}
	})
}

// A server tells its callers by their certificates, and a client its servers.
func TestCA(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, ca, other := brunttest.NewHost(t), brunttest.NewCA(t), brunttest.NewCA(t)
		h.Serve("orders:8443", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "hello")
			for _, chain := range r.TLS.VerifiedChains {
				fmt.Fprint(w, " ", chain[0].Subject.CommonName)
			}
		}), &tls.Config{
			Certificates: []tls.Certificate{ca.Issue(t, "orders").TLS()},
			ClientAuth:   tls.VerifyClientCertIfGiven,
			ClientCAs:    ca.Pool(),
		})
		rows := []struct {
			name string
			in   *tls.Config
			want string // "" for an error
		}{
			{"no_certificate", &tls.Config{RootCAs: ca.Pool()}, "hello"},
			{"ours", &tls.Config{RootCAs: ca.Pool(), Certificates: []tls.Certificate{ca.Issue(t, "checkout").TLS()}}, "hello checkout"},
			{"another_authority's", &tls.Config{RootCAs: ca.Pool(), Certificates: []tls.Certificate{other.Issue(t, "checkout").TLS()}}, ""},
			{"another_authority", &tls.Config{RootCAs: other.Pool()}, ""},
			{"another_name", &tls.Config{RootCAs: ca.Pool(), ServerName: "payments"}, ""},
			{"as_localhost", &tls.Config{RootCAs: ca.Pool(), ServerName: "localhost"}, "hello"},
		}
		for _, row := range rows {
			client := h.HTTPClient()
			client.Transport.(*http.Transport).TLSClientConfig = row.in
			resp, err := client.Get("https://orders:8443/")
			if err != nil {
				if row.want != "" {
					t.Errorf("%s: %v", row.name, err)
				}
				continue
			}
			resp.Body.Close()
			if row.want == "" {
				t.Errorf("%s: %s, want an error", row.name, resp.Status)
				continue
			}
			if got := get(t, client, "https://orders:8443/"); got != row.want {
				t.Errorf("%s: %q, want %q", row.name, got, row.want)
			}
		}
	})
}

// Certificates also come as files.
func TestCA_PEM(t *testing.T) {
	t.Parallel()
	ca := brunttest.NewCA(t)
	certificate, key := ca.Issue(t, "10.0.0.7").PEM(t)
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := pair.Leaf.VerifyHostname("10.0.0.7"); err != nil {
		t.Error(err)
	}
	if len(ca.PEM()) == 0 {
		t.Error("the authority has no PEM")
	}
}
