package memnet

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// protocols are the ways a program speaks HTTP over the network.
var protocols = []struct {
	name, scheme string
	proto        string // what the server must see
	set          func(*http.Protocols)
}{
	{"http1", "http", "HTTP/1.1", func(p *http.Protocols) { p.SetHTTP1(true) }},
	{"http1_tls", "https", "HTTP/1.1", func(p *http.Protocols) { p.SetHTTP1(true) }},
	{"h2c", "http", "HTTP/2.0", func(p *http.Protocols) { p.SetUnencryptedHTTP2(true) }},
	{"h2_tls", "https", "HTTP/2.0", func(p *http.Protocols) { p.SetHTTP2(true) }},
}

// start serves h over a new network and returns a client and its base URL. stop
// ends every goroutine of both.
func start(t testing.TB, scheme string, set func(*http.Protocols), h http.Handler) (client *http.Client, base string, stop func()) {
	t.Helper()
	n := New()
	var protocols http.Protocols
	set(&protocols)
	server := httptest.NewUnstartedServer(h)
	server.Listener.Close()
	server.Listener = listen(t, n, "example.com:8443") // the name in httptest's certificate
	server.EnableHTTP2 = protocols.HTTP2()
	server.Config.Protocols = &protocols
	if scheme == "https" {
		server.StartTLS()
	} else {
		server.Start()
	}
	transport := &http.Transport{DialContext: n.DialContext, Protocols: &protocols}
	if scheme == "https" {
		transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
	}
	return &http.Client{Transport: transport}, scheme + "://example.com:8443", func() {
		transport.CloseIdleConnections()
		server.Close()
	}
}

// A 14 s answer takes exactly 14 s of fake time, whatever carries it.
func TestHTTP_exactInFakeTime(t *testing.T) {
	t.Parallel()
	for _, row := range protocols {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, base, stop := start(t, row.scheme, row.set, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					time.Sleep(14 * time.Second)
					body, _ := io.ReadAll(r.Body)
					io.WriteString(w, r.Proto+" "+string(body))
				}))
				defer stop()
				begin := time.Now()
				for range 3 {
					resp, err := client.Post(base, "text/plain", strings.NewReader("hello"))
					if err != nil {
						t.Fatal(err)
					}
					body, err := io.ReadAll(resp.Body)
					resp.Body.Close()
					if got, want := string(body), row.proto+" hello"; err != nil || got != want {
						t.Errorf("body = %q, %v, want %q", got, err, want)
					}
				}
				if took := time.Since(begin); took != 42*time.Second {
					t.Errorf("three calls took %v, want 42s", took)
				}
			})
		})
	}
}

// The handler's context ends in the instant the client gives up.
func TestHTTP_cancelReachesHandler(t *testing.T) {
	t.Parallel()
	for _, row := range protocols {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				noticed := make(chan time.Time, 1)
				client, base, stop := start(t, row.scheme, row.set, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					<-r.Context().Done()
					noticed <- time.Now()
				}))
				defer stop()
				begin := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
				defer cancel()
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, base, nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := client.Do(req); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Do = %v, want context.DeadlineExceeded", err)
				}
				if after := (<-noticed).Sub(begin); after != 500*time.Millisecond {
					t.Errorf("the handler noticed after %v, want 500ms", after)
				}
			})
		})
	}
}

// A body larger than every buffer goes both ways at once.
func TestHTTP_largeBodies(t *testing.T) {
	t.Parallel()
	const size = 4 << 20
	for _, row := range protocols {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, base, stop := start(t, row.scheme, row.set, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if err := http.NewResponseController(w).EnableFullDuplex(); err != nil && row.proto == "HTTP/1.1" {
						t.Error(err)
					}
					io.Copy(w, r.Body)
				}))
				defer stop()
				resp, err := client.Post(base, "text/plain", strings.NewReader(strings.Repeat("0123456789abcdef", size/16)))
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				if n, err := io.Copy(io.Discard, resp.Body); n != size || err != nil {
					t.Errorf("answer has %d bytes, %v, want %d", n, err, size)
				}
			})
		})
	}
}

// Server timeouts are deadlines on the connection.
func TestHTTP_idleTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := New()
		server := &http.Server{IdleTimeout: 30 * time.Second, Handler: http.NotFoundHandler()}
		go server.Serve(listen(t, n, ":80"))
		defer server.Close()
		c := dial(t, n, "localhost:80")
		defer c.Close()
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if _, err := io.Copy(io.Discard, c); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took != 30*time.Second {
			t.Errorf("the server closed the idle connection after %v, want 30s", took)
		}
	})
}

// A reset in the middle of a handshake is seen as one.
func TestTLS_resetInHandshake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, server := connect(t, DefaultSettings())
		go func() {
			io.ReadFull(server, make([]byte, 5))
			server.SetLinger(0)
			server.Close()
		}()
		defer client.Close()
		err := tls.Client(client, &tls.Config{ServerName: "example.com"}).Handshake()
		if !errors.Is(err, errReset) {
			t.Errorf("Handshake = %v, want %v", err, errReset)
		}
	})
}
