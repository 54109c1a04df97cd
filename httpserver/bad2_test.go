package httpserver_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
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

// client2 is a client that speaks HTTP/2 frame by frame.
type client2 struct {
	net.Conn
	*http2.Framer
	t     *testing.T
	codec bytes.Buffer
	hpack *hpack.Encoder
	ended chan string // how the connection did, with what was said on the way
}

// dial2 opens a connection and does what comes before the first request.
func (w *world) dial2(t *testing.T) *client2 {
	t.Helper()
	c := w.deaf2(t, "h2")
	go func() { c.ended <- c.listen() }()
	synctest.Wait()
	return c
}

// deaf2 is dial2 without anybody who reads.
func (w *world) deaf2(t *testing.T, protocol string) *client2 {
	t.Helper()
	c := &client2{Conn: w.dial(t, protocol), t: t, ended: make(chan string, 1)}
	c.Framer = http2.NewFramer(c.Conn, c.Conn)
	c.hpack = hpack.NewEncoder(&c.codec)
	io.WriteString(c.Conn, http2.ClientPreface)
	if err := c.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	return c
}

// listen reads frames to the end, and returns those that matter.
func (c *client2) listen() string {
	var heard []string
	decoder := hpack.NewDecoder(4096, nil)
	for {
		frame, err := c.ReadFrame()
		if err != nil {
			return strings.Join(heard, ", ")
		}
		switch f := frame.(type) {
		case *http2.HeadersFrame:
			fields, _ := decoder.DecodeFull(f.HeaderBlockFragment())
			heard = append(heard, fields[0].Value)
		case *http2.RSTStreamFrame:
			heard = append(heard, "reset: "+f.ErrCode.String())
		case *http2.GoAwayFrame:
			heard = append(heard, "goaway: "+f.ErrCode.String())
		}
	}
}

// fields encodes a request's header.
func (c *client2) fields(extra ...string) []byte {
	c.codec.Reset()
	all := append([]string{":method", "POST", ":scheme", "https", ":authority", "orders:9443", ":path", "/"}, extra...)
	for i := 0; i < len(all); i += 2 {
		if err := c.hpack.WriteField(hpack.HeaderField{Name: all[i], Value: all[i+1]}); err != nil {
			c.t.Fatal(err)
		}
	}
	return slices.Clone(c.codec.Bytes())
}

// request begins one on a stream.
func (c *client2) request(stream uint32, end bool, extra ...string) {
	block := c.fields(extra...)
	first := min(len(block), 16<<10)
	_ = c.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block[:first], EndHeaders: first == len(block), EndStream: end})
	for block = block[first:]; len(block) > 0; {
		n := min(len(block), 16<<10)
		_ = c.WriteContinuation(stream, n == len(block), block[:n])
		block = block[n:]
	}
}

// A client that speaks HTTP/2 badly.
func TestBadClients2(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		send   func(c *client2)
		heard  string
		took   time.Duration // to the end of the connection
		logged []string
	}{
		{"good", func(c *client2) { c.request(1, true) }, "204, goaway: NO_ERROR", 121 * time.Second, nil},
		{"silent", func(*client2) {}, "goaway: NO_ERROR", 121 * time.Second, nil},
		{"half_a_header", func(c *client2) {
			_ = c.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: c.fields()})
		}, "goaway: NO_ERROR", 121 * time.Second, nil},
		{"large_header", func(c *client2) { c.request(1, true, "x", strings.Repeat("x", 100<<10)) }, "goaway: COMPRESSION_ERROR", time.Second,
			[]string{"WARN request refused: connection error: COMPRESSION_ERROR"}},
		{"many_headers", func(c *client2) { c.request(1, true, slices.Repeat([]string{"x", strings.Repeat("x", 1000)}, 70)...) }, "431, goaway: NO_ERROR", 121 * time.Second,
			[]string{"WARN request refused: header not valid, or larger than MaxHeaderBytes, 65536"}}, // its 70 times are compressed to less
		{"header_without_end", func(c *client2) {
			_ = c.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: c.fields()})
			var err error
			for sent := 0; sent < 1<<30 && err == nil; sent += 16 << 10 {
				err = c.WriteContinuation(1, false, bytes.Repeat([]byte{0}, 16<<10))
			}
			if err == nil {
				panic("a gibibyte was taken")
			}
		}, "goaway: PROTOCOL_ERROR", time.Second, []string{"WARN request refused: connection error: PROTOCOL_ERROR"}},
		{"body_without_end", func(c *client2) { c.request(1, false) }, "408, reset: NO_ERROR, goaway: NO_ERROR", 151 * time.Second,
			[]string{"WARN request body not read: not there within ReadTimeout"}},
		{"body_shorter_than_announced", func(c *client2) {
			c.request(1, false, "content-length", "10")
			_ = c.WriteData(1, true, []byte("short"))
		}, "400, goaway: NO_ERROR", 121 * time.Second, []string{"WARN request body not read: request declared a Content-Length of 10 but only wrote 5 bytes"}},
		{"announced_as_too_large", func(c *client2) { c.request(1, false, "content-length", fmt.Sprint(11<<20)) }, "413, reset: NO_ERROR, goaway: NO_ERROR", 121 * time.Second,
			[]string{"WARN request body refused"}},
		{"nonsense", func(c *client2) { io.WriteString(c.Conn, strings.Repeat("nonsense", 10)) }, "goaway: FRAME_SIZE_ERROR", time.Second, nil},
		// Streams that are taken back as soon as they are there: each costs one request.
		{"taken_back", func(c *client2) {
			for i := range uint32(1000) {
				c.request(2*i+1, true)
				_ = c.WriteRSTStream(2*i+1, http2.ErrCodeCancel)
			}
		}, "", 0, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := serve(t, reader, nil)
				c, began := w.dial2(t), time.Now()
				row.send(c)
				if row.name == "taken_back" {
					synctest.Wait()
					c.Close()
					<-c.ended
				} else {
					if heard := <-c.ended; heard != row.heard {
						t.Errorf("the client heard %q, want %q", heard, row.heard)
					}
					if took := time.Since(began); took != row.took {
						t.Errorf("the connection ended after %v, want %v", took, row.took)
					}
					c.Close()
				}
				synctest.Wait()
				if got := w.warnings(); row.name != "taken_back" && !slices.Equal(got, row.logged) {
					t.Errorf("logged %q, want %q", got, row.logged)
				} else if len(got) > 2 {
					t.Errorf("a flood of requests became one of records: %q", got)
				}
				if status := w.app.Stop(); status.Code() != 0 {
					t.Error(status)
				}
			})
		})
	}
}

// A client that takes nothing of the answer holds one stream for WriteTimeout, and no
// other requests of its connection.
func TestBadClients2_readsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		endless := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			var err error
			for err == nil {
				_, err = w.Write(make([]byte, 1<<20))
			}
			ended <- err
		})
		w := serve(t, endless, nil)
		c, began := w.dial2(t), time.Now()
		c.request(1, true)
		if err := <-ended; err == nil || time.Since(began) != 60*time.Second {
			t.Errorf("the handler ended after %v with %v, want 1m0s", time.Since(began), err)
		}
		synctest.Wait()
		c.Close()
		if heard := <-c.ended; heard != "200, reset: INTERNAL_ERROR" {
			t.Errorf("the client heard %q", heard)
		}
		synctest.Wait()
		if got := w.warnings(); !slices.Equal(got, []string{"WARN answer not sent in time"}) {
			t.Errorf("logged %q", got)
		}
	})
}

// A client that reads no byte of its connection loses it, and its place.
func TestBadClients2_deaf(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{false, true} {
		t.Run(fmt.Sprintf("plain_%v", plain), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				large := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodPost {
						_, _ = w.Write(make([]byte, 1<<20))
					}
				})
				w := serve(t, large, func(s *httpserver.Settings, _ *brunttest.CA) {
					s.MaxConnections = 1
					if plain {
						s.TLS, s.PlainText = nil, true
					}
				})
				protocol := "h2"
				if plain {
					protocol = ""
				}
				c := w.deaf2(t, protocol)
				for i := range uint32(3) {
					c.request(2*i+1, true)
				}
				began := time.Now()
				scheme := "https"
				if plain {
					scheme = "http"
				}
				if status, body := get(t, w.client(), scheme+"://orders:9443/"); status != 200 {
					t.Errorf("the next client is answered %d %q", status, body)
				}
				// And TLS takes 5 s to say goodbye.
				if took := time.Since(began); took < 45*time.Second || took > 65*time.Second {
					t.Errorf("it had the place for %v, want about WriteTimeout", took)
				}
				c.Close()
			})
		})
	}
}
