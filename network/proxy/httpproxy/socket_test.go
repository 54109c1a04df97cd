package httpproxy_test

import (
	"crypto/tls"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// Over real sockets and TLS: HTTP/2 by ALPN on both sides, and a reset that is
// a TCP RST below the TLS.
func TestProxy_tls(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	upstream.EnableHTTP2 = true
	upstream.StartTLS()
	t.Cleanup(upstream.Close)
	trusted := upstream.Client().Transport.(*http.Transport).TLSClientConfig

	s := httpproxy.DefaultSettings()
	s.Name, s.Upstream = "catalog", upstream.URL
	p, err := httpproxy.New(s, httpproxy.WithUpstreamTLS(trusted))
	if err != nil {
		t.Fatal(err)
	}
	front := &tls.Config{Certificates: upstream.TLS.Certificates, NextProtos: []string{"h2", "http/1.1"}}
	l, err := tls.Listen("tcp", "127.0.0.1:0", front)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- p.Serve(l) }()
	t.Cleanup(func() {
		p.Close()
		if err := <-ended; !errors.Is(err, httpproxy.ErrClosed) {
			t.Errorf("Serve = %v", err)
		}
	})

	client := &http.Client{Transport: &http.Transport{TLSClientConfig: trusted.Clone(), ForceAttemptHTTP2: true}}
	t.Cleanup(client.CloseIdleConnections)
	url := "https://" + l.Addr().String()
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.Proto != "HTTP/2.0" || string(body) != "HTTP/2.0" {
		t.Errorf("spoke %s to the proxy, it spoke %s to the upstream; want HTTP/2.0", resp.Proto, body)
	}

	armed, err := p.Arm(httpproxy.Arming{Rules: httpproxy.Rules{List: []httpproxy.Rule{{Name: "reset", Share: 1, Faults: []httpproxy.Fault{&httpproxy.Reset{}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer armed.Disarm()
	one := &http.Client{Transport: &http.Transport{TLSClientConfig: trusted.Clone()}}
	if _, err := one.Get(url); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("HTTP/1.1 over TLS: %v, want a connection reset", err)
	}
}

// A reset over a plain socket is a reset to whoever reads it.
func TestReset_socket(t *testing.T) {
	t.Parallel()
	s := httpproxy.DefaultSettings()
	s.Name, s.Upstream = "catalog", "127.0.0.1:1"
	p, err := httpproxy.New(s)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- p.Serve(l) }()
	t.Cleanup(func() { p.Close(); <-ended })
	if _, err := p.Arm(httpproxy.Arming{Rules: httpproxy.Rules{List: []httpproxy.Rule{{Name: "reset", Share: 1, Faults: []httpproxy.Fault{&httpproxy.Reset{}}}}}}); err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if data, err := io.ReadAll(conn); len(data) > 0 || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("read %q, %v; want nothing and ECONNRESET", data, err)
	}
}

// Closing a connection ends the context of its request, at some moment: that must
// not make the caller look as if it had gone away.
func TestReset_endsBroken(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name  string
		fault httpproxy.Fault
	}{
		{"reset", &httpproxy.Reset{}},
		{"lost", &httpproxy.Lost{}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			upstream := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
			t.Cleanup(upstream.Close)
			s := httpproxy.DefaultSettings()
			s.Name, s.Upstream = "catalog", upstream.URL
			p, err := httpproxy.New(s)
			if err != nil {
				t.Fatal(err)
			}
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error)
			go func() { ended <- p.Serve(l) }()
			t.Cleanup(func() { p.Close(); <-ended })
			seen := ledger.New(time.Now())
			armed, err := p.Arm(httpproxy.Arming{
				Rules:    httpproxy.Rules{List: []httpproxy.Rule{{Name: "all", Share: 1, Faults: []httpproxy.Fault{row.fault}}}},
				Recorder: seen,
			})
			if err != nil {
				t.Fatal(err)
			}
			const calls = 200
			var wg sync.WaitGroup
			for range calls {
				wg.Go(func() {
					client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
					if resp, err := client.Post("http://"+l.Addr().String(), "", nil); err == nil {
						resp.Body.Close()
						t.Error("it was answered")
					}
				})
			}
			wg.Wait()
			if err := armed.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			ends := map[ledger.End]int{}
			for _, x := range ledger.All[ledger.Exchange](seen.Entries()) {
				ends[x.End]++
			}
			if want := (map[ledger.End]int{ledger.EndBroken: calls}); !maps.Equal(ends, want) {
				t.Errorf("the requests ended %v, want %v", ends, want)
			}
		})
	}
}
