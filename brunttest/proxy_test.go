package brunttest_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/toxic"
)

// A client that gives up after 50 ms does when its dependency hangs, and works
// again when that is over.
func TestProxy(t *testing.T) {
	t.Parallel()
	payments := httptest.NewServer(http.NotFoundHandler())
	defer payments.Close()
	p := brunttest.Proxy(t, payments.Listener.Addr().String())
	client := &http.Client{Timeout: 50 * time.Millisecond}
	defer client.CloseIdleConnections()
	call := func() error {
		response, err := client.Get("http://" + p.Addr())
		if err == nil {
			response.Body.Close()
		}
		return err
	}

	if err := p.Add(toxic.NewSpec("hang", toxic.Downstream, &toxic.Timeout{})); err != nil {
		t.Fatal(err)
	}
	if err := call(); !errors.Is(err, context.DeadlineExceeded) && !os.IsTimeout(err) {
		t.Errorf("with payments hanging: %v, want a timeout", err)
	}
	if err := p.Remove("hang"); err != nil {
		t.Fatal(err)
	}
	client.Timeout = time.Minute
	if err := call(); err != nil {
		t.Errorf("with payments back: %v", err)
	}
}

// Two tests have two proxies, whatever they are called.
func TestProxy_parallel(t *testing.T) {
	t.Parallel()
	s := proxy.DefaultSettings()
	s.Name, s.Upstream = "same", "127.0.0.1:1"
	if a, b := brunttest.ProxyWith(t, s), brunttest.ProxyWith(t, s); a.Addr() == b.Addr() {
		t.Errorf("both listen on %s", a.Addr())
	}
}
