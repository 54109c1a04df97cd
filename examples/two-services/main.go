// Command two-services is two services, orders and payments, that can be failed
// one request at a time. They have no OpenTelemetry set up: each has one line
// around its handler, and one in the client or around the call that can fail.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("two-services {orders|payments}", flag.ContinueOnError)
	listen := flags.String("listen", "127.0.0.1:0", "address to listen on")
	payments := flags.String("payments", "http://localhost:8443", "URL of payments, for orders")
	forward := flags.Bool("forward", false, "send scenarios on to payments, from orders")
	if len(args) == 0 {
		return errors.New("want orders or payments, and then flags")
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	faults, err := newInjector()
	if err != nil {
		return err
	}
	switch args[0] {
	case "orders":
		return serve(*listen, newOrders(*payments, faults, *forward))
	case "payments":
		return serve(*listen, newPayments(faults))
	default:
		return fmt.Errorf("%q, want orders or payments", args[0])
	}
}

// newInjector returns what both services are failed by.
func newInjector() (fault.Injector, error) {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		return fault.Injector{}, err
	}
	settings := fault.DefaultSettings()
	settings.Decoder = codec
	return fault.New(settings)
}

func serve(addr string, handler http.Handler) error {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("listening on %s\n", l.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(l)
}
