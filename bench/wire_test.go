package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// Each request is whole HTTP, and no two have one identity.
func TestWireConn_call(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for number := range 3 {
		client, server := net.Pipe()
		c := newWireConn(client, "127.0.0.1:80", number, 1024)
		for range 3 {
			asked := make(chan *http.Request, 1)
			go func() {
				r, err := http.ReadRequest(bufio.NewReader(server))
				if err != nil {
					t.Error(err)
					server.Close()
				}
				asked <- r
				io.WriteString(server, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			}()
			if err := c.call(); err != nil {
				t.Fatal(err)
			}
			r := <-asked
			index, trace := r.URL.Query().Get("index"), httpproxy.TraceID(r.Header)
			if r.Method != http.MethodGet || r.URL.Path != "/1024" || r.Host != "127.0.0.1:80" || index == "" || trace == "" {
				t.Errorf("asked %s %s of %s, trace %q", r.Method, r.URL, r.Host, trace)
			}
			if seen[index] || seen[trace] {
				t.Errorf("index %s or trace %s came before", index, trace)
			}
			seen[index], seen[trace] = true, true
		}
		client.Close()
		server.Close()
	}
}

func TestWireConn_answer(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, in, want string }{
		{"whole", "HTTP/1.1 200 OK\r\nDate: today\r\nContent-Length: 2\r\n\r\nok", ""},
		{"empty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""},
		{"failed", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", `answered "HTTP/1.1 502 Bad Gateway"`},
		{"no_length", "HTTP/1.1 200 OK\r\n\r\nok", "names no length"},
		{"odd_length", "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok", "invalid syntax"},
		{"cut_in_header", "HTTP/1.1 200 OK\r\nContent-Le", "EOF"},
		{"cut_in_body", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no", "EOF"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := &wireConn{in: bufio.NewReader(strings.NewReader(row.in))}
			err := c.answer()
			if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("answer of %q = %v, want %q", row.in, err, row.want)
			}
		})
	}
}
