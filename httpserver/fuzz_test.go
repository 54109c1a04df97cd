package httpserver_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/httpserver"
)

// Whatever bytes a client sends, in HTTP/1 and after the preface of HTTP/2, and whether it
// waits then or leaves: its connection ends, nothing is left of it, nothing panics, and
// the App ends well.
func FuzzConnection(f *testing.F) {
	const start = "POST / HTTP/1.1\r\nHost: orders\r\n"
	for _, text := range []string{
		"", "GET / HTTP/1.1\r\n", "GET / HTTP/1.0\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: orders\r\n\r\n", "CONNECT orders:1 HTTP/1.1\r\nHost: orders\r\n\r\n",
		start + "Content-Length: 2\r\n\r\nhi" + start + "Content-Length: 3\r\n\r\nhi",
		start + "Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2;x=y\r\nhi\r\n0\r\nX: y\r\n\r\n",
		start + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
		start + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
		start + "Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\nBaggage: " + scenarioHeader(f, abort) + "\r\n\r\n",
		start + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 40\r\n\r\n--x\r\nContent-Disposition: form-data\r\n",
		http2.ClientPreface, http2.ClientPreface + "nonsense", frames(func(*http2.Framer) {}),
		frames(func(f *http2.Framer) {
			_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(":method", "POST", ":scheme", "http", ":authority", "orders", ":path", "/"), EndHeaders: true})
			_ = f.WriteData(1, false, []byte("hi"))
			_ = f.WriteWindowUpdate(1, 1<<20)
			_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: 3, BlockFragment: block(":method", "GET", ":path", "/x"), EndHeaders: true, EndStream: true})
			_ = f.WriteRSTStream(1, http2.ErrCodeCancel)
			_ = f.WritePing(false, [8]byte{})
			_ = f.WriteGoAway(0, http2.ErrCodeNo, nil)
		}),
		frames(func(f *http2.Framer) {
			_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0x3f, 0xe1, 0xff}})
			_ = f.WriteContinuation(1, true, []byte{0x80})
			_ = f.WritePriority(5, http2.PriorityParam{StreamDep: 5})
		}),
	} {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, waits bool) {
		synctest.Test(t, func(t *testing.T) {
			w := serve(t, reader, func(s *httpserver.Settings, _ *brunttest.CA) { s.TLS, s.PlainText = nil, true }, withFaults())
			c, began, sent := w.dial(t, ""), time.Now(), make(chan struct{})
			go func() {
				defer close(sent)
				_, _ = c.Write(data)
				if !waits {
					c.Close()
				}
			}()
			_, _ = io.Copy(io.Discard, c)
			// For the body, then idle, then to hear that it is over.
			if took := time.Since(began); took > 30*time.Second+120*time.Second+time.Second {
				t.Errorf("the connection ended after %v", took)
			}
			c.Close()
			<-sent
			if slices.ContainsFunc(w.warnings(), func(line string) bool { return strings.Contains(line, "panicked") }) {
				t.Errorf("logged %q", w.warnings())
			}
			if status := w.app.Stop(); status.Code() != 0 {
				t.Error(status)
			}
		})
	})
}

// frames is what a client of HTTP/2 sends first, and then what write does.
func frames(write func(*http2.Framer)) string {
	b := bytes.NewBufferString(http2.ClientPreface)
	f := http2.NewFramer(b, nil)
	f.AllowIllegalWrites = true
	_ = f.WriteSettings()
	write(f)
	return b.String()
}

// block is a header of names and values.
func block(fields ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i < len(fields); i += 2 {
		_ = e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return b.Bytes()
}
