package brunttest_test

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
)

// BenchmarkRequest is a request over TLS on a connection that is there, on a Host and,
// for comparison, on the loopback of the machine.
func BenchmarkRequest(b *testing.B) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") })
	for _, protocol := range []struct {
		name string
		next []string
	}{{"http1", []string{"http/1.1"}}, {"http2", []string{"h2"}}} {
		ca := brunttest.NewCA(b)
		config := &tls.Config{Certificates: []tls.Certificate{ca.Issue(b, "orders").TLS()}, NextProtos: protocol.next}
		b.Run(protocol.name+"/host", func(b *testing.B) {
			h := brunttest.NewHost(b)
			h.Serve("orders:8443", handler, config)
			client := h.HTTPClient()
			client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: ca.Pool()}
			requests(b, client, "https://orders:8443/")
		})
		b.Run(protocol.name+"/loopback", func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			server := &http.Server{Handler: handler, TLSConfig: config.Clone()}
			go server.ServeTLS(l, "", "")
			defer server.Close()
			transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: ca.Pool()}, ForceAttemptHTTP2: true}
			defer transport.CloseIdleConnections()
			requests(b, &http.Client{Transport: transport}, "https://"+l.Addr().String()+"/")
		})
	}
}

func requests(b *testing.B, client *http.Client, url string) {
	b.ReportAllocs()
	for b.Loop() {
		get(b, client, url)
	}
}

// BenchmarkStart is an App without telemetry from its start to its first answer, and
// to its end.
func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		h := brunttest.NewHost(b)
		p, _ := brunttest.Start(b, newServer(":80", nil, func(http.ResponseWriter, *http.Request) {}),
			brunttest.WithApp(brunt.WithHost(h.Host()), brunt.WithTelemetry(nil)))
		<-h.Listening("orders:80")
		client := h.HTTPClient()
		get(b, client, "http://orders:80/")
		if s := p.Stop(); s.Code() != brunt.ExitSuccess {
			b.Fatal(s)
		}
	}
}
