package proxy_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/toxic"
)

// echo sends back what connections to l send.
func echo(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			_, _ = io.Copy(c, c) // until the peer has ended
		}()
	}
}

// A proxy before a server resets the second connection after three bytes.
func Example() {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	go echo(server)

	s := proxy.DefaultSettings()
	s.Name, s.Upstream = "store", server.Addr().String()
	p, err := proxy.New(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	if err := p.Start(); err != nil {
		fmt.Println(err)
		return
	}
	reset := toxic.NewSpec("cut", toxic.Downstream, &toxic.ResetPeer{AfterBytes: 3})
	reset.Select.Connections = toxic.Ordinals{First: 2}
	if err := p.Add(reset); err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		c, err := net.Dial("tcp", p.Addr())
		if err != nil {
			fmt.Println(err)
			return
		}
		_, _ = io.WriteString(c, "hello") // what comes back tells
		answer := make([]byte, 5)
		n, err := io.ReadFull(c, answer)
		fmt.Printf("%s, reset: %v\n", answer[:n], errors.Is(err, syscall.ECONNRESET))
		c.Close()
	}
	// Output:
	// hello, reset: false
	// hel, reset: true
}

// In memory, and so in fake time under testing/synctest.
func Example_inMemory() {
	network := memnet.New()
	server, err := network.Listen("tcp", "store:80")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	go echo(server)

	s := proxy.DefaultSettings()
	s.Name, s.Listen, s.Upstream = "store", "proxy:80", "store:80"
	listen := func(_ context.Context, n, address string) (net.Listener, error) { return network.Listen(n, address) }
	p, err := proxy.New(s, proxy.WithListener(listen), proxy.WithDialer(network.DialContext))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	if err := p.Start(); err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Add(toxic.NewSpec("slow", toxic.Upstream, &toxic.Latency{Latency: 20 * time.Millisecond})); err != nil {
		fmt.Println(err)
		return
	}
	c, err := network.Dial("tcp", p.Addr())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	begin := time.Now()
	_, _ = io.WriteString(c, "x") // what comes back tells
	_, err = c.Read(make([]byte, 1))
	fmt.Println(err, time.Since(begin) >= 20*time.Millisecond)
	// Output: <nil> true
}
