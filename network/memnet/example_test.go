package memnet_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/brunt-go/brunt/network/memnet"
)

// A client and a server find each other by name.
func Example() {
	network := memnet.New()
	listener, err := network.Listen("tcp", "payments:8080")
	if err != nil {
		fmt.Println(err)
		return
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s asked %s", r.RemoteAddr, r.Host)
	})}
	go server.Serve(listener)
	defer server.Close()

	transport := &http.Transport{DialContext: network.DialContext}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	resp, err := client.Get("http://payments:8080/")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	fmt.Println(string(body), err)
	// Output: 127.0.0.1:32768 asked payments:8080 <nil>
}

func ExampleNetwork_DialContext() {
	network := memnet.New()
	_, err := network.DialContext(context.Background(), "tcp", "payments:8080")
	fmt.Println(err)
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))
	// Output:
	// dial tcp payments:8080: connect: connection refused
	// true
}

func ExampleNetwork_Listen() {
	network := memnet.New()
	for range 2 {
		listener, err := network.Listen("tcp", "localhost:0")
		if err != nil {
			fmt.Println(err)
			return
		}
		defer listener.Close()
		fmt.Println(listener.Addr(), listener.Addr().(*net.TCPAddr).Port)
	}
	// Output:
	// 127.0.0.1:20000 20000
	// 127.0.0.1:20001 20001
}

// A server that resets: what it wrote is lost, as is what the client reads.
func ExampleConn_SetLinger() {
	network := memnet.New()
	listener, err := network.Listen("tcp", "payments:8080")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer listener.Close()
	client, err := network.Dial("tcp", "payments:8080")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	accepted, err := listener.Accept()
	if err != nil {
		fmt.Println(err)
		return
	}
	server := accepted.(*memnet.Conn)
	fmt.Fprint(server, "half an ans")
	server.SetLinger(0)
	server.Close()

	_, err = client.Read(make([]byte, 16))
	fmt.Println(errors.Is(err, syscall.ECONNRESET))
	// Output: true
}

// A small buffer makes a writer keep its reader's pace.
func ExampleNewWith() {
	settings := memnet.DefaultSettings()
	settings.Buffer = 4
	network, err := memnet.NewWith(settings)
	if err != nil {
		fmt.Println(err)
		return
	}
	listener, err := network.Listen("tcp", "payments:8080")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer listener.Close()
	conn, err := network.Dial("tcp", "payments:8080")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	conn.SetWriteDeadline(time.Now().Add(time.Millisecond))
	n, err := conn.Write([]byte("charge 20 EUR"))
	fmt.Println(n, err)
	// Output: 4 write tcp 127.0.0.1:32768->payments:8080: i/o timeout
}

// Everything that is wrong with settings is reported, a line each.
func ExampleCheckSettings() {
	fmt.Println(memnet.CheckSettings(memnet.Settings{Buffer: -1}))
	// Output:
	// memnet.buffer: -1, must be >= 1
	// memnet.backlog: 0, must be >= 1
}

// A request is over when its caller closes for writing; the answer still comes.
func ExampleConn_CloseWrite() {
	network := memnet.New()
	listener, err := network.Listen("tcp", "echo:7")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer listener.Close()
	go func() {
		server, err := listener.Accept()
		if err != nil {
			return
		}
		defer server.Close()
		question, _ := io.ReadAll(server)
		fmt.Fprintf(server, "you said %q", question)
	}()
	client, err := network.Dial("tcp", "echo:7")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	fmt.Fprint(client, "hello")
	client.(*memnet.Conn).CloseWrite()
	answer, err := io.ReadAll(client)
	fmt.Println(string(answer), err)
	// Output: you said "hello" <nil>
}
