package memnet

import (
	"io"
	"net"
	"net/http"
	"testing"
)

// networks are memnet and, for comparison, the loopback of the machine.
var networks = []struct {
	name string
	ends func(testing.TB) (client, server net.Conn)
}{
	{"memnet", func(tb testing.TB) (client, server net.Conn) { return connect(tb, DefaultSettings()) }},
	{"loopback", loopback},
}

func loopback(tb testing.TB) (client, server net.Conn) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer l.Close()
	client, err = net.Dial("tcp", l.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	server, err = l.Accept()
	if err != nil {
		tb.Fatal(err)
	}
	return client, server
}

func BenchmarkEcho(b *testing.B) {
	for _, network := range networks {
		b.Run(network.name, func(b *testing.B) {
			b.ReportAllocs()
			client, server := network.ends(b)
			defer client.Close()
			go func() {
				defer server.Close()
				io.CopyBuffer(struct{ io.Writer }{server}, struct{ io.Reader }{server}, make([]byte, 64))
			}()
			message := make([]byte, 64)
			for b.Loop() {
				if _, err := client.Write(message); err != nil {
					b.Fatal(err)
				}
				if _, err := io.ReadFull(client, message); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkThroughput(b *testing.B) {
	const chunk = 32 << 10
	for _, network := range networks {
		b.Run(network.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(chunk)
			client, server := network.ends(b)
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer server.Close()
				io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{server}, make([]byte, chunk))
			}()
			message := make([]byte, chunk)
			for b.Loop() {
				if _, err := client.Write(message); err != nil {
					b.Fatal(err)
				}
			}
			client.Close()
			<-done
		})
	}
}

func BenchmarkDial(b *testing.B) {
	b.ReportAllocs()
	n := New()
	l := listen(b, n, "server:80")
	defer l.Close()
	for b.Loop() {
		client, server := dial(b, n, "server:80"), accept(b, l)
		client.Close()
		server.Close()
	}
}

// One request after another on a connection that is kept.
func BenchmarkHTTP(b *testing.B) {
	for _, row := range protocols {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			client, base, stop := start(b, row.scheme, row.set, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, "ok")
			}))
			defer stop()
			for b.Loop() {
				resp, err := client.Get(base)
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
}
