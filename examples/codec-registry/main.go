package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault"
)

//go:embed scenarios.json
var scenarios []byte

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	registry := NewRegistry("acme.scenario")
	if err := registry.Load(bytes.NewReader(scenarios)); err != nil {
		return err
	}
	settings := fault.DefaultSettings()
	settings.Decoder = registry
	faults, err := fault.New(settings)
	if err != nil {
		return err
	}
	for _, id := range []string{"payments-down", "slow-morning", "watch", "made-up"} {
		b, err := baggage.Parse("acme.scenario=" + id)
		if err != nil {
			return err
		}
		f := faults.Eval(baggage.ContextWithBaggage(context.Background(), b), "http:payments:8443")
		fmt.Printf("%-14s waits %v, aborts %v\n", id, f.Delay, f.Abort)
	}
	return nil
}
