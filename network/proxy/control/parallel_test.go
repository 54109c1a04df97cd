package control

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Clients that make and remove a proxy of one name and one address at the same time
// get what one after another would get: never an address that is in use.
// See network.md 4.2.
func TestServer_sameNameInParallel(t *testing.T) {
	t.Parallel()
	s := newTCPServer(t)
	spec := ProxySpec{Name: "p", Listen: freeAddress(t), Upstream: "127.0.0.1:1"}
	yes := true
	var work sync.WaitGroup
	for i := range 16 {
		work.Go(func() {
			for round := range 100 {
				var err error
				switch (i + round) % 4 {
				case 0, 1:
					_, err = s.Create("", spec)
				case 2:
					err = s.Delete("", "p")
				case 3:
					_, err = s.Change("", "p", ProxySpec{Enabled: &yes})
				}
				if err != nil && err.Error() != "proxy already exists" && err.Error() != "proxy not found" {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
}

// Lists that are sent at the same time, while their proxies are removed, are all
// carried out.
func TestServer_Populate_inParallel(t *testing.T) {
	t.Parallel()
	s := newTCPServer(t)
	list := []ProxySpec{{
		Name: "p", Listen: freeAddress(t), Upstream: "127.0.0.1:1",
		Toxics: []ToxicSpec{{Type: "latency", Attributes: []byte(`{"latency":1}`)}},
	}}
	var work sync.WaitGroup
	for i := range 16 {
		work.Go(func() {
			for range 50 {
				if i%4 == 0 {
					_ = s.Delete("", "p") // another may have been faster
				}
				if _, err := s.Populate("", list, false); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
}

// A name is free when the address is: who sees that a proxy is gone, and makes
// another one, waits for the rest of it to go.
func TestServer_Create_whileRemoved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		closing := make(chan struct{})
		s, err := NewServer(DefaultSettings(), WithListener(func(context.Context, string, string) (net.Listener, error) {
			return &slowListener{closing: closing, over: make(chan struct{})}, nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		spec := ProxySpec{Name: "p", Listen: "p:1", Upstream: "server:80"}
		if _, err := s.Create("", spec); err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(time.Second)
			closing <- struct{}{} // the first one's Close returns
			closing <- struct{}{} // the second one's
		}()
		begin := time.Now()
		go func() { _ = s.Delete("", "p") }()
		synctest.Wait()
		if _, err := s.Proxy("", "p"); fmt.Sprint(err) != "proxy not found" {
			t.Errorf("a proxy that is being removed: %v, want it not found", err)
		}
		if _, err := s.Create("", spec); err != nil {
			t.Error(err)
		}
		if got := time.Since(begin); got != time.Second {
			t.Errorf("made again after %v, want the 1s its address was in use", got)
		}
	})
}

// slowListener is a listener whose Close takes until it may return.
type slowListener struct {
	closing, over chan struct{}
}

func (l *slowListener) Accept() (net.Conn, error) {
	<-l.over
	return nil, net.ErrClosed
}

func (l *slowListener) Close() error {
	<-l.closing
	close(l.over)
	return nil
}

func (l *slowListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

func newTCPServer(t *testing.T) *Server {
	t.Helper()
	s, err := NewServer(DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// freeAddress returns an address nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	// Not where other tests' connections come from: one of them would have the port.
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.77:0")
	if err != nil { // where loopback has but one address
		l, err = new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
