package toxic_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/toxic"
)

// A proxy of one connection: 30 ms each way, then the answer is cut after 5 bytes.
func Example() {
	network := memnet.New()
	listener, err := network.Listen("tcp", "orders:5432")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer listener.Close()
	go func() { // the server
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		io.WriteString(conn, "hello, world")
		io.Copy(io.Discard, conn)
	}()

	set, err := toxic.NewSet(toxic.DefaultSettings())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, spec := range []toxic.Spec{
		toxic.NewSpec("there", toxic.Upstream, &toxic.Latency{Latency: 30 * time.Millisecond}),
		toxic.NewSpec("back", toxic.Downstream, &toxic.Latency{Latency: 30 * time.Millisecond}),
		toxic.NewSpec("cut", toxic.Downstream, &toxic.LimitData{Bytes: 5}),
	} {
		if err := set.Add(spec); err != nil {
			fmt.Println(err)
			return
		}
	}

	upstream, err := network.Dial("tcp", "orders:5432")
	if err != nil {
		fmt.Println(err)
		return
	}
	client, front := net.Pipe()
	link := set.NewLink(front)
	done := make(chan error)
	go func() { done <- link.Run(context.Background(), upstream) }()

	got, err := io.ReadAll(client)
	fmt.Printf("%q %v\n", got, err)
	client.Close()
	err = <-done
	fmt.Println(errors.Is(err, toxic.ErrClosed), err)
	// Output:
	// "hello" <nil>
	// true toxic "cut": connection closed
}

// Toxics come from files by their kind and attributes.
func ExampleParse() {
	t, err := toxic.Parse("latency", []byte(`{"latency":100,"jitter":20}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	changed, err := toxic.Merge(t, []byte(`{"jitter":5}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := toxic.Attributes(changed)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))
	_, err = toxic.Parse("slicer", []byte(`{"average_size":10,"size_variation":20}`))
	fmt.Println(err)
	// Output:
	// {"latency":100,"jitter":5,"distribution":"uniform","percentiles":null,"on_connect":false}
	// size_variation: 20, must be below average_size, 10
}

// Of 20 connections about the fourth part is hit, the same ones each
// time.
func ExampleSet_NewLink() {
	settings := toxic.DefaultSettings()
	settings.Name, settings.Seed = "orders", 7
	set, err := toxic.NewSet(settings)
	if err != nil {
		fmt.Println(err)
		return
	}
	spec := toxic.NewSpec("slow", toxic.Downstream, &toxic.Latency{Latency: time.Second})
	spec.Toxicity = 0.25
	if err := set.Add(spec); err != nil {
		fmt.Println(err)
		return
	}
	for range 20 {
		client, front := net.Pipe()
		link := set.NewLink(front)
		for _, stage := range link.Status().Downstream.Toxics {
			fmt.Println("connection", link.Ordinal(), "is", stage.Toxic)
		}
		link.Close()
		client.Close()
	}
	// Output:
	// connection 4 is slow
	// connection 5 is slow
	// connection 7 is slow
	// connection 12 is slow
	// connection 13 is slow
}
