package proxy

import (
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// silent returns the address of a socket whose queue is full: the kernel drops every
// SYN to it.
func silent(t *testing.T) string {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(os.NewSyscallError("socket", err))
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if err := errors.Join(syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), syscall.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	at, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(os.NewSyscallError("getsockname", err))
	}
	in4, ok := at.(*syscall.SockaddrInet4)
	if !ok {
		t.Fatalf("the socket's address is a %T", at)
	}
	address := (&net.TCPAddr{IP: in4.Addr[:], Port: in4.Port}).String()
	for {
		c, err := net.DialTimeout("tcp", address, 100*time.Millisecond)
		if err != nil {
			return address
		}
		t.Cleanup(func() { c.Close() })
	}
}

// A real dial that nobody answers ends with DialTimeout, or with the proxy: at once. See
// network.md 5.3 5.4.
func TestProxy_silentUpstream(t *testing.T) {
	t.Parallel()
	address := silent(t)
	for _, c := range []struct {
		name    string
		timeout time.Duration
		stop    bool
		want    string
	}{
		{"timeout", 50 * time.Millisecond, false, "i/o timeout"},
		{"close", time.Hour, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			said := make(chan Event, 10)
			s := DefaultSettings()
			s.Name, s.Listen, s.Upstream, s.DialTimeout = "p", "127.0.0.1:0", address, c.timeout
			p, err := New(s, WithEventFunc(func(e Event) { said <- e }))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			conn, err := net.Dial("tcp", p.Addr())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			for (<-said).Type != Opened { // it is dialled for
			}
			if c.stop {
				p.Close() // does not wait for an hour
				return
			}
			if e := <-said; e.Type != DialFailed || !strings.HasSuffix(e.Error, c.want) {
				t.Errorf("%+v, want %s: %s", e, DialFailed, c.want)
			}
		})
	}
}
