package proxy

import (
	"errors"
	"net"
	"testing"
)

// A dial binds no local port of its own: a machine has some 28,000, and each
// connection that ended keeps one for a minute.
func TestProxy_bindsNoPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	s := DefaultSettings()
	s.Name, s.Upstream = "p", address
	p, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	_, err = p.reach(t.Context())
	var failed *net.OpError
	if !errors.As(err, &failed) {
		t.Fatalf("dialling a closed port: %v, want a net.OpError", err)
	}
	if failed.Source != nil {
		t.Errorf("the dial came from %v, want no local address chosen before", failed.Source)
	}
}
