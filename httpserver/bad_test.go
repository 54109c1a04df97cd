package httpserver_test

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/httpserver"
)

// reader is a handler that reads the body and says how that ended.
var reader = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	_, err := io.Copy(io.Discard, r.Body)
	var large *http.MaxBytesError
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case errors.As(err, &large):
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.WriteHeader(http.StatusRequestTimeout)
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
})

// A client that speaks HTTP/1 badly: what it is answered, when its connection ends, and
// the one record about it.
func TestBadClients(t *testing.T) {
	t.Parallel()
	const start = "POST / HTTP/1.1\r\nHost: orders\r\n"
	rows := []struct {
		name   string
		send   func(c net.Conn)
		answer string
		took   time.Duration
		logged []string
	}{
		{"good", say(start + "Content-Length: 2\r\nConnection: close\r\n\r\nhi"), "HTTP/1.1 204 No Content", 0, nil},
		{"chunks", say(start + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nhi\r\n0\r\n\r\n"), "HTTP/1.1 204 No Content", 0, nil},
		{"all_of_it_idle", say(start + "Content-Length: 2\r\n\r\nhi"), "HTTP/1.1 204 No Content", 120 * time.Second, nil},
		// A browser that opened a connection it did not need after all.
		{"silent", say(""), "EOF", 5 * time.Second, nil},
		{"half_a_header", say(start), "EOF", 5 * time.Second, []string{"WARN request refused: header not there within ReadHeaderTimeout, 5s"}},
		{"a_header_in_drops", drip(start + strings.Repeat("X", 100)), "HTTP/1.1 400 Bad Request", 5 * time.Second, []string{"WARN request refused: header not there within ReadHeaderTimeout, 5s"}},
		{"a_second_header_in_drops", drip(start + "Content-Length: 0\r\n\r\n" + start + strings.Repeat("X", 100)), "HTTP/1.1 204 No Content", 5 * time.Second,
			[]string{"WARN request refused: header not there within ReadHeaderTimeout, 5s"}},
		{"a_header_of_a_gibibyte", forever(start+"X: ", "x"), "HTTP/1.1 431 Request Header Fields Too Large", 0,
			[]string{"WARN request refused: header larger than MaxHeaderBytes, 65536"}},
		{"headers_of_a_gibibyte", forever(start, "X: x\r\n"), "HTTP/1.1 431 Request Header Fields Too Large", 0,
			[]string{"WARN request refused: header larger than MaxHeaderBytes, 65536"}},
		{"a_path_of_a_gibibyte", forever("GET /", "x"), "HTTP/1.1 431 Request Header Fields Too Large", 0,
			[]string{"WARN request refused: header larger than MaxHeaderBytes, 65536"}},
		{"nonsense", say("\x00\x01\x02nonsense\r\n\r\n"), "HTTP/1.1 400 Bad Request", 0, []string{"WARN request refused: not a request, or the client left"}},
		{"two_lengths", say(start + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi"), "HTTP/1.1 400 Bad Request", 0, []string{"WARN request refused: not a request, or the client left"}},
		{"negative_length", say(start + "Content-Length: -2\r\n\r\nhi"), "HTTP/1.1 400 Bad Request", 0, []string{"WARN request refused: not a request, or the client left"}},
		{"strange_coding", say(start + "Transfer-Encoding: brotli\r\n\r\nhi"), "HTTP/1.1 501 Not Implemented", 0, []string{"WARN request refused: not a request, or the client left"}},
		{"left_in_the_header", leave(start), "HTTP/1.1 400 Bad Request", 0, []string{"WARN request refused: not a request, or the client left"}},
		{"shorter_than_announced", leave(start + "Content-Length: 10\r\n\r\nshort"), "HTTP/1.1 400 Bad Request", 0, []string{"WARN request body not read: shorter than announced"}},
		{"a_chunk_of_nonsense", say(start + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n"), "HTTP/1.1 400 Bad Request", 0, []string{"WARN request body not read: invalid byte in chunk length"}},
		{"announced_as_too_large", say(start + "Content-Length: 10485761\r\n\r\n"), "HTTP/1.1 413 Request Entity Too Large", 0, []string{"WARN request body refused"}},
		{"too_large", forever(start+"Transfer-Encoding: chunked\r\n\r\n", "400\r\n"+strings.Repeat("x", 0x400)+"\r\n"), "HTTP/1.1 413 Request Entity Too Large", 0,
			[]string{"WARN request body not read: larger than MaxBodyBytes, 10485760"}},
		{"never_ends", drip(start + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1\r\nx\r\n", 100)), "HTTP/1.1 408 Request Timeout", 30 * time.Second, []string{"WARN request body not read: not there within ReadTimeout"}},
	}
	for _, row := range rows {
		for _, tlsOn := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/tls_%v", row.name, tlsOn), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					w := serve(t, reader, func(s *httpserver.Settings, _ *brunttest.CA) {
						if !tlsOn {
							s.TLS, s.PlainText = nil, true
						}
					})
					protocol := ""
					if tlsOn {
						protocol = "http/1.1"
					}
					c, began := w.dial(t, protocol), time.Now()
					sent := make(chan struct{})
					go func() {
						defer close(sent)
						row.send(c)
					}()
					if got := answer(c); got != row.answer {
						t.Errorf("answered %q, want %q", got, row.answer)
					}
					drained(c)
					if took := time.Since(began); took != row.took {
						t.Errorf("the connection ended after %v, want %v", took, row.took)
					}
					<-sent
					time.Sleep(time.Second) // net/http keeps it for half of one, for the answer to arrive
					if got := w.warnings(); !slices.Equal(got, row.logged) {
						t.Errorf("logged %q, want %q", got, row.logged)
					}
					for _, l := range w.tel.Logs() {
						if strings.HasPrefix(l.Message, "request") && l.Attribute("peer") == "" {
							t.Errorf("%q does not name the peer", l.Message)
						}
					}
					if status := w.app.Stop(); status.Code() != 0 {
						t.Error(status)
					}
				})
			})
		}
	}
}

// say sends text at once.
func say(text string) func(net.Conn) {
	return func(c net.Conn) { io.WriteString(c, text) }
}

// drip sends the first three quarters of text at once, and a byte each second of what
// is left.
func drip(text string) func(net.Conn) {
	return func(c net.Conn) {
		at := strings.LastIndexAny(text[:len(text)-90], "\r\nX1") + 1
		io.WriteString(c, text[:at])
		for ; at < len(text); at++ {
			time.Sleep(time.Second)
			if _, err := io.WriteString(c, text[at:at+1]); err != nil {
				return
			}
		}
	}
}

// forever sends start, and then text over and over, until it is a gibibyte or the server
// takes no more.
func forever(start, text string) func(net.Conn) {
	return func(c net.Conn) {
		io.WriteString(c, start)
		many := bytes.Repeat([]byte(text), 1+(16<<10)/len(text))
		for sent := 0; sent < 1<<30; sent += len(many) {
			if _, err := c.Write(many); err != nil {
				return
			}
		}
	}
}

// leave sends text and says that there is no more.
func leave(text string) func(net.Conn) {
	return func(c net.Conn) {
		io.WriteString(c, text)
		c.(interface{ CloseWrite() error }).CloseWrite()
	}
}

// Who does not get through the handshake, and what is written down about it.
func TestBadHandshakes(t *testing.T) {
	t.Parallel()
	stranger := brunttest.NewCA(t)
	rows := []struct {
		name   string
		send   func(t *testing.T, w *world, c net.Conn)
		took   time.Duration
		logged []string
	}{
		{"plain_text", func(_ *testing.T, _ *world, c net.Conn) {
			io.WriteString(c, "GET / HTTP/1.1\r\nHost: orders\r\n\r\n")
			if got := answer(c); got != "HTTP/1.0 400 Bad Request" {
				panic(got)
			}
		}, 0, []string{"WARN tls handshake failed: client sent an HTTP request to an HTTPS server"}},
		{"nonsense", func(_ *testing.T, _ *world, c net.Conn) { io.WriteString(c, "nonsense") }, 0,
			[]string{"WARN tls handshake failed: tls: first record does not look like a TLS handshake"}},
		{"hangs", func(*testing.T, *world, net.Conn) {}, 5 * time.Second,
			[]string{"WARN tls handshake failed: not done within ReadHeaderTimeout, 5s"}},
		{"hangs_half_way", func(_ *testing.T, _ *world, c net.Conn) { io.WriteString(c, "\x16\x03\x01\x01\x00\x01X") }, 5 * time.Second,
			[]string{"WARN tls handshake failed: not done within ReadHeaderTimeout, 5s"}},
		// A load balancer that looks whether the port is open.
		{"leaves", func(_ *testing.T, _ *world, c net.Conn) { c.Close() }, 0, nil},
		{"does_not_know_our_authority", func(t *testing.T, _ *world, c net.Conn) {
			err := tls.Client(c, &tls.Config{RootCAs: stranger.Pool(), ServerName: "orders"}).HandshakeContext(t.Context())
			if err == nil {
				t.Error("the handshake was done")
			}
		}, 0, []string{"WARN tls handshake failed: remote error: tls: bad certificate"}},
		{"certificate_of_another_authority", func(t *testing.T, w *world, c net.Conn) {
			conn := tls.Client(c, &tls.Config{RootCAs: w.ca.Pool(), ServerName: "orders", Certificates: []tls.Certificate{stranger.Issue(t, "checkout").TLS()}})
			_ = conn.HandshakeContext(t.Context())
			_, _ = conn.Read(make([]byte, 1))
		}, 0, []string{"WARN tls handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority"}},
		{"too_old", func(t *testing.T, w *world, c net.Conn) {
			_ = tls.Client(c, &tls.Config{RootCAs: w.ca.Pool(), ServerName: "orders", MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}).HandshakeContext(t.Context())
		}, 0, []string{"WARN tls handshake failed: tls: client offered only unsupported versions: [302 301]"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := serve(t, reader, func(s *httpserver.Settings, ca *brunttest.CA) {
					s.TLS.ClientAuth, s.TLS.ClientCAs = tls.RequireAndVerifyClientCert, ca.Pool()
				})
				c, began := w.dial(t, ""), time.Now()
				row.send(t, w, c)
				drained(c)
				if took := time.Since(began); took != row.took {
					t.Errorf("the connection ended after %v, want %v", took, row.took)
				}
				synctest.Wait()
				got := w.warnings()
				for i, line := range got { // what crypto/x509 adds, in brackets
					got[i], _, _ = strings.Cut(line, " (")
				}
				if !slices.Equal(got, row.logged) {
					t.Errorf("logged %q, want %q", got, row.logged)
				}
			})
		})
	}
}

// Answers that nobody takes, and handlers that don't come to an end.
func TestSlowAnswers(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name    string
		handler http.HandlerFunc
		reads   bool // the client reads the answer
		took    time.Duration
		logged  []string
	}{
		{"handler", func(http.ResponseWriter, *http.Request) { time.Sleep(61 * time.Second) }, true, 61 * time.Second, []string{"WARN answer not sent in time"}},
		// The connection ends after 60 s; TLS takes 5 more to say so.
		{"client", func(w http.ResponseWriter, r *http.Request) {
			for {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
		}, false, 65 * time.Second, []string{"WARN answer not sent in time"}},
		{"in_time", func(http.ResponseWriter, *http.Request) { time.Sleep(59 * time.Second) }, true, 59 * time.Second, nil},
		{"deadline_of_its_own", func(w http.ResponseWriter, r *http.Request) {
			if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Hour)); err != nil {
				panic(err)
			}
			time.Sleep(10 * time.Minute)
		}, true, 10 * time.Minute, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan time.Duration, 1)
				handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					began := time.Now()
					row.handler(w, r)
					ended <- time.Since(began)
				})
				w := serve(t, handler, nil)
				c := w.dial(t, "http/1.1")
				io.WriteString(c, "GET / HTTP/1.1\r\nHost: orders\r\nConnection: close\r\n\r\n")
				if row.reads {
					if got := answer(c); (got == "HTTP/1.1 200 OK") != (row.logged == nil) {
						t.Errorf("answered %q, want an answer: %v", got, row.logged == nil)
					}
				}
				if took := <-ended; took != row.took {
					t.Errorf("the handler ended after %v, want %v", took, row.took)
				}
				drained(c)
				synctest.Wait()
				if got := w.warnings(); !slices.Equal(got, row.logged) {
					t.Errorf("logged %q, want %q", got, row.logged)
				}
			})
		})
	}
}
