package httpproxy_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// Without rules, armed to record or not, a proxy is as if it were not there.
func bothWays(t *testing.T, h http.Handler, body func(*rig)) {
	t.Helper()
	for _, armed := range []bool{false, true} {
		t.Run(map[bool]string{false: "bare", true: "recording"}[armed], func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, h, func(r *rig) {
				if armed {
					r.arm(httpproxy.Arming{})
				}
				body(r)
			})
		})
	}
}

func TestPassthrough_request(t *testing.T) {
	t.Parallel()
	var mirror http.HandlerFunc = func(w http.ResponseWriter, r *http.Request) {
		var names []string
		for name, values := range r.Header {
			names = append(names, name+"="+strings.Join(values, "|"))
		}
		slices.Sort(names)
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s host=%s %s body=%s", r.Method, r.RequestURI, r.Host, strings.Join(names, " "), body)
	}
	bothWays(t, mirror, func(r *rig) {
		req, err := http.NewRequest("PUT", proxyURL+"/a%2Fb//c?x=1;2&bad=%zz&x=3", strings.NewReader("payload"))
		if err != nil {
			r.t.Fatal(err)
		}
		req.Host = "catalog.example"
		req.Header.Set("X-Forwarded-For", "192.0.2.7")
		req.Header.Set("Forwarded", "for=192.0.2.7")
		req.Header["X-Twice"] = []string{"one", "two"}
		req.Header.Set("User-Agent", "")
		resp, err := r.client.Do(req)
		if err != nil {
			r.t.Fatal(err)
		}
		defer resp.Body.Close()
		got, _ := io.ReadAll(resp.Body)
		want := "PUT /a%2Fb//c?x=1;2&bad=%zz&x=3 host=catalog.example Content-Length=7 Forwarded=for=192.0.2.7 X-Forwarded-For=192.0.2.7 X-Twice=one|two body=payload"
		if string(got) != want {
			r.t.Errorf("the upstream saw\n%s\nwant\n%s", got, want)
		}
	})
}

func TestPassthrough_answer(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Trailer", "X-Sum")
		w.Header()["X-Twice"] = []string{"one", "two"}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(http.StatusTemporaryRedirect)
		io.WriteString(w, "moved")
		w.Header().Set("X-Sum", "42")
	}
	bothWays(t, http.HandlerFunc(h), func(r *rig) {
		resp, err := r.client.Transport.RoundTrip(mustRequest(r))
		if err != nil {
			r.t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != 307 || string(body) != "moved" || resp.Header.Get("Location") != "/elsewhere" ||
			!slices.Equal(resp.Header["X-Twice"], []string{"one", "two"}) || resp.Trailer.Get("X-Sum") != "42" {
			r.t.Errorf("got %d %q, header %v, trailer %v", resp.StatusCode, body, resp.Header, resp.Trailer)
		}
	})
}

// As a handler of another server, the proxy adds to the header that is there,
// however odd the names a fault gives.
func TestServeHTTP_headerBefore(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Way", "upstream")
		w.Header().Set("Connection", "X-Hop")
		w.Header().Set("X-Hop", "1")
	}
	inFakeTime(t, http.HandlerFunc(h), func(r *rig) {
		r.breakAll(oddHeader{&httpproxy.Reset{}})
		w := httptest.NewRecorder()
		w.Header().Set("X-Way", "before")
		r.proxy.ServeHTTP(w, mustRequest(r))
		got := w.Result().Header
		if want := []string{"before", "upstream"}; !slices.Equal(got["X-Way"], want) || got.Get("X-Odd") != "fault" || got["X-Hop"] != nil {
			r.t.Errorf("the header is %v, want X-Way %v, X-Odd fault, and no X-Hop", got, want)
		}
	})
}

// oddHeader adds a field in lower case.
type oddHeader struct{ *httpproxy.Reset }

func (oddHeader) Apply(_ *httpproxy.Exchange, next httpproxy.Next) (*http.Response, error) {
	resp, err := next()
	if err == nil {
		resp.Header["x-odd"] = []string{"fault"}
	}
	return resp, err
}

func TestPassthrough_keepAlive(t *testing.T) {
	t.Parallel()
	bothWays(t, hello, func(r *rig) {
		for i := range 5 {
			trace := &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) {
				if c.Reused != (i > 0) {
					r.t.Errorf("call %d: connection reused %v", i, c.Reused)
				}
			}}
			req := mustRequest(r)
			resp, err := r.client.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
			if err != nil {
				r.t.Fatal(err)
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	})
}

func TestPassthrough_http2(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer:Grpc-Status", "0")
		fmt.Fprintf(w, "upstream saw %s", r.Proto)
	}
	bothWays(t, http.HandlerFunc(h), func(r *rig) {
		client := h2c(r)
		defer client.CloseIdleConnections()
		resp, err := client.Get(proxyURL)
		if err != nil {
			r.t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.Proto != "HTTP/2.0" || string(body) != "upstream saw HTTP/2.0" || resp.Trailer.Get("Grpc-Status") != "0" {
			r.t.Errorf("got %s %q, trailer %v; want HTTP/2 all the way", resp.Proto, body, resp.Trailer)
		}
	})
}

// A fault on one HTTP/2 stream leaves the others of its connection alone.
func TestReset_http2Stream(t *testing.T) {
	t.Parallel()
	inFakeTime(t, hello, func(r *rig) {
		r.arm(httpproxy.Arming{Rules: httpproxy.Rules{List: []httpproxy.Rule{{
			Name: "reset", Share: 1, Match: httpproxy.Match{Path: "/broken"}, Faults: []httpproxy.Fault{&httpproxy.Truncate{AfterBytes: 3}},
		}}}})
		client := h2c(r)
		defer client.CloseIdleConnections()
		resp, err := client.Get(proxyURL + "/broken")
		if err != nil {
			r.t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if string(body) != "hel" || err == nil {
			r.t.Errorf("the broken stream gave %q, %v; want 3 bytes and an error", body, err)
		}
		if resp, err := client.Get(proxyURL + "/whole"); err != nil {
			r.t.Errorf("the next stream failed: %v", err)
		} else {
			resp.Body.Close()
		}
	})
}

// Each piece of a streamed answer arrives when it was sent.
func TestPassthrough_streaming(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			time.Sleep(time.Second)
			fmt.Fprintf(w, "piece %d\n", i)
			w.(http.Flusher).Flush()
		}
	}
	bothWays(t, http.HandlerFunc(h), func(r *rig) {
		start := time.Now()
		resp, err := r.client.Get(proxyURL)
		if err != nil {
			r.t.Fatal(err)
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		for i := range 3 {
			if !lines.Scan() || lines.Text() != fmt.Sprintf("piece %d", i) || time.Since(start) != time.Duration(i+1)*time.Second {
				r.t.Fatalf("piece %d: %q after %v", i, lines.Text(), time.Since(start))
			}
		}
	})
}

// The header of a streamed answer does not wait for its body.
func TestPassthrough_headerFirst(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		time.Sleep(5 * time.Second)
		io.WriteString(w, "late")
	}
	bothWays(t, http.HandlerFunc(h), func(r *rig) {
		start := time.Now()
		resp, err := r.client.Get(proxyURL)
		if err != nil {
			r.t.Fatal(err)
		}
		defer resp.Body.Close()
		if took := time.Since(start); took != 0 {
			r.t.Errorf("the header took %v", took)
		}
		if body, _ := io.ReadAll(resp.Body); string(body) != "late" || time.Since(start) != 5*time.Second {
			r.t.Errorf("the body %q took %v", body, time.Since(start))
		}
	})
}

// A streamed request is answered while it is still being sent.
func TestPassthrough_fullDuplex(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		lines := bufio.NewScanner(r.Body)
		for lines.Scan() {
			fmt.Fprintln(w, strings.ToUpper(lines.Text()))
			w.(http.Flusher).Flush()
		}
	}
	bothWays(t, http.HandlerFunc(h), func(r *rig) {
		client := h2c(r)
		defer client.CloseIdleConnections()
		in, out := io.Pipe()
		resp, err := client.Post(proxyURL, "text/plain", in)
		if err != nil {
			r.t.Fatal(err)
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		for _, word := range []string{"one", "two"} {
			fmt.Fprintln(out, word)
			if !lines.Scan() || lines.Text() != strings.ToUpper(word) {
				r.t.Errorf("sent %q, got %q", word, lines.Text())
			}
		}
		out.Close()
	})
}

// A caller that goes away ends the upstream's work in the same instant.
func TestPassthrough_cancel(t *testing.T) {
	t.Parallel()
	gone := make(chan time.Duration, 2)
	h := func(_ http.ResponseWriter, r *http.Request) {
		start := time.Now()
		<-r.Context().Done()
		gone <- time.Since(start)
	}
	bothWays(t, http.HandlerFunc(h), func(r *rig) {
		if g := r.get("/", 3*time.Second); g.took != 3*time.Second {
			r.t.Errorf("got %+v", g)
		}
		synctest.Wait()
		select {
		case after := <-gone:
			if after != 3*time.Second {
				r.t.Errorf("the upstream noticed after %v, want 3s", after)
			}
		default:
			r.t.Error("the upstream did not notice that the caller went away")
		}
	})
}

func TestPassthrough_upgrade(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, _ *http.Request) {
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		io.WriteString(rw, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		rw.Flush()
		line, _ := rw.ReadString('\n')
		io.WriteString(rw, "echo "+line)
		rw.Flush()
	}
	bothWays(t, http.HandlerFunc(h), func(r *rig) {
		req := mustRequest(r)
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "echo")
		resp, err := r.client.Do(req)
		if err != nil {
			r.t.Fatal(err)
		}
		stream := resp.Body.(io.ReadWriteCloser)
		defer stream.Close()
		io.WriteString(stream, "hi\n")
		if line, err := bufio.NewReader(stream).ReadString('\n'); line != "echo hi\n" {
			r.t.Errorf("got %q, %v", line, err)
		}
	})
}

// 100 MB through the proxy, either way, come out as they went in.
func TestPassthrough_large(t *testing.T) {
	t.Parallel()
	const size = 100 << 20
	block := bytes.Repeat([]byte("0123456789abcdef"), 1<<12)
	h := func(w http.ResponseWriter, r *http.Request) {
		sum := sha256.New()
		io.Copy(sum, r.Body)
		w.Header().Set("X-Sum", fmt.Sprintf("%x", sum.Sum(nil)))
		for range size / len(block) {
			w.Write(block)
		}
	}
	inFakeTime(t, http.HandlerFunc(h), func(r *rig) {
		r.arm(httpproxy.Arming{})
		want := sha256.New()
		in := io.TeeReader(io.LimitReader(&repeated{block: block}, size), want)
		resp, err := r.client.Post(proxyURL, "application/octet-stream", in)
		if err != nil {
			r.t.Fatal(err)
		}
		defer resp.Body.Close()
		got := sha256.New()
		n, err := io.Copy(got, resp.Body)
		sent, back := fmt.Sprintf("%x", want.Sum(nil)), fmt.Sprintf("%x", got.Sum(nil))
		if n != size || err != nil || sent != back || resp.Header.Get("X-Sum") != sent {
			r.t.Errorf("%d bytes, %v; sums: sent %s, upstream %s, back %s", n, err, sent, resp.Header.Get("X-Sum"), back)
		}
	})
}

func TestProxy_upstreamDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, net: memnet.New()}
		s := httpproxy.DefaultSettings()
		s.Name, s.Upstream = "catalog", "nobody:80"
		p, err := httpproxy.New(s, httpproxy.WithDialer(r.net.DialContext))
		if err != nil {
			t.Fatal(err)
		}
		r.proxy = p
		ended := make(chan error)
		go func() { ended <- proxied{}.start(r, "proxy:80") }()
		synctest.Wait()
		r.client = &http.Client{Transport: &http.Transport{DialContext: r.net.DialContext}}
		r.arm(httpproxy.Arming{})
		g := r.get("/", patience)
		if want := "brunt: proxy catalog: upstream nobody:80: "; g.status != 502 || !strings.HasPrefix(g.body, want) || !strings.Contains(g.body, "refused") {
			t.Errorf("got %d %q, want 502 and %q...refused", g.status, g.body, want)
		}
		if _, x := only[ledger.Exchange](r); x.End != ledger.EndFailed || !strings.Contains(x.Error, "refused") || x.Upstream != 0 {
			t.Errorf("the wire shows %+v, want a failed upstream", x)
		}
		r.client.CloseIdleConnections()
		p.Close()
		if err := <-ended; !errors.Is(err, httpproxy.ErrClosed) {
			t.Errorf("Serve = %v", err)
		}
	})
}

// An upstream that breaks off is not taken for a fault.
func TestProxy_upstreamBreaksOff(t *testing.T) {
	t.Parallel()
	h := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	inFakeTime(t, http.HandlerFunc(h), func(r *rig) {
		armed := r.arm(httpproxy.Arming{})
		if g := r.get("/", patience); g.body != "half" || g.err == nil {
			r.t.Errorf("got %+v, want half an answer and an error", g)
		}
		armed.Wait(r.t.Context())
		if _, x := only[ledger.Exchange](r); x.End != ledger.EndFailed || x.Error == "" {
			r.t.Errorf("the wire shows %+v, want a failed upstream", x)
		}
	})
}

func mustRequest(r *rig) *http.Request {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, proxyURL+"/", nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return req
}

// h2c is a client that speaks HTTP/2 without TLS.
func h2c(r *rig) *http.Client {
	t := &http.Transport{DialContext: r.net.DialContext, Protocols: new(http.Protocols)}
	t.Protocols.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: t}
}

// repeated reads its block again and again.
type repeated struct {
	block []byte
	at    int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.block[r.at:])
	r.at = (r.at + n) % len(r.block)
	return n, nil
}
