package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"testing"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/telemetry"
)

// From the start of an App to the answer of its first request, over loopback, and to
// its end.
func BenchmarkHello_firstRequest(b *testing.B) {
	for b.Loop() {
		bound := make(chan net.Addr, 1)
		host := brunt.OSHost()
		listen := host.Listen
		host.Listen = func(ctx context.Context, network, address string) (net.Listener, error) {
			l, err := listen(ctx, network, address)
			if err == nil {
				bound <- l.Addr()
			}
			return l, err
		}
		signals, status := make(chan os.Signal, 1), make(chan brunt.Status, 1)
		app := brunt.NewApp(initialize, brunt.WithHost(host), brunt.WithTelemetry(telemetry.NoopBuilder))
		go func() {
			status <- app.Run(context.Background(), brunt.Process{
				Environment: map[string]string{"HELLO_ADDR": "127.0.0.1:0"}, Signals: signals,
			})
		}()
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Get("http://" + (<-bound).String())
		if err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
		signals <- os.Interrupt
		if s := <-status; s.Code() != 0 {
			b.Fatal(s)
		}
	}
}
