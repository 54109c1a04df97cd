package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/brunt-go/brunt/bench/internal/role"
	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// The serving roles. All but the upstream are followed by its address.
const (
	roleUpstream  = "upstream"
	roleBare      = "bare"
	roleProxy     = "proxy"
	roleRecording = "recording"
	roleRule      = "rule"
)

func newServing(args []string) (*role.Serving, error) {
	if args[0] == roleUpstream {
		return newUpstream(), nil
	}
	if len(args) < 2 {
		return nil, fmt.Errorf("the role %s needs the address of an upstream", args[0])
	}
	switch args[0] {
	case roleBare:
		return newBare(args[1]), nil
	case roleProxy, roleRecording, roleRule:
		return newProxy(args[0], args[1])
	}
	return nil, fmt.Errorf("there is no role %q", args[0])
}

// answerPath is where the upstream answers with size bytes.
func answerPath(size int) string { return "/" + strconv.Itoa(size) }

// newUpstream answers /SIZE with as many bytes, of a length it names.
func newUpstream() *role.Serving {
	const longest = 1 << 20
	block := bytes.Repeat([]byte("x"), longest)
	return served(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || size < 0 || size > longest {
			http.Error(w, "want a path of a number of bytes", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", strconv.Itoa(size))
		_, _ = w.Write(block[:size]) // a caller that went away gets nothing
	}))
}

// newBare is the peer: httputil.ReverseProxy as someone who knows it sets it up.
// It lends its buffers, keeps enough connections to the upstream, and leaves
// encodings to the caller. Its server has the settings of brunt's.
func newBare(upstream string) *role.Serving {
	target := &url.URL{Scheme: "http", Host: upstream}
	return served(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		Transport: &http.Transport{
			DialContext:         new(net.Dialer).DialContext,
			MaxIdleConnsPerHost: 1024,
			DisableCompression:  true,
		},
		BufferPool: &buffers{},
	})
}

// buffers is the BufferPool of the documentation of sync.Pool.
type buffers struct{ pool sync.Pool }

func (b *buffers) Get() []byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		return *buf
	}
	return make([]byte, 32<<10)
}

func (b *buffers) Put(buf []byte) { b.pool.Put(&buf) }

func served(h http.Handler) *role.Serving {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 30 * time.Second}
	return &role.Serving{Serve: server.Serve, Begin: func() error { return nil }}
}

// newProxy is brunt's proxy: unarmed, armed to record, or armed with a rule that
// is looked at for each request and never hits. It records into a new ledger each
// time a measurement begins.
func newProxy(kind, upstream string) (*role.Serving, error) {
	s := httpproxy.DefaultSettings()
	s.Name, s.Upstream = "bench", upstream
	proxy, err := httpproxy.New(s)
	if err != nil {
		return nil, err
	}
	key, err := httpproxy.ParseKey("query.index")
	if err != nil {
		return nil, err
	}
	begin := func() error { return nil }
	switch kind {
	case roleRecording:
		begin = func() error { return arm(proxy, httpproxy.Rules{}) }
	case roleRule:
		begin = func() error {
			return arm(proxy, httpproxy.Rules{Key: key, List: []httpproxy.Rule{{
				Name: "never", Share: 0, Faults: []httpproxy.Fault{&httpproxy.Delay{Header: time.Second}},
			}}})
		}
	}
	return &role.Serving{Serve: proxy.Serve, Begin: begin}, begin()
}

// arm gives the proxy rules and an empty ledger.
func arm(proxy *httpproxy.Proxy, rules httpproxy.Rules) error {
	_, err := proxy.Arm(httpproxy.Arming{Rules: rules, Recorder: ledger.New(time.Now())})
	return err
}
