package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
)

const member = "acme.fault"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	monday, tuesday := secret(), secret()
	edge, err := New(member, time.Minute, Keys{Current: "mon", Secrets: map[string][]byte{"mon": monday}})
	if err != nil {
		return err
	}
	service, err := New(member, time.Minute, Keys{Secrets: map[string][]byte{"mon": monday}})
	if err != nil {
		return err
	}
	settings := fault.DefaultSettings()
	settings.Decoder = service
	faults, err := fault.New(settings)
	if err != nil {
		return err
	}
	abort := fit.Scenario{Rules: []fit.Rule{{Point: "http:payments:8443", Fault: fit.Fault{Abort: true}}}}
	show := func(what string, ctx context.Context) {
		_, _, why := service.Decode(baggage.FromContext(ctx))
		fmt.Printf("%-28s aborts %v, %v\n", what, faults.Eval(ctx, "http:payments:8443").Abort, why)
	}

	signed, err := fit.ContextWithScenario(context.Background(), edge, abort)
	if err != nil {
		return err
	}
	show("signed on Monday", signed)

	forged, err := baggage.Parse(strings.Replace(baggage.FromContext(signed).String(), "mon.", "mon.9", 1))
	if err != nil {
		return err
	}
	show("its expiry pushed back", baggage.ContextWithBaggage(context.Background(), forged))

	// The rotation: readers first, then the edge, then Monday's key goes.
	both := map[string][]byte{"mon": monday, "tue": tuesday}
	if err := service.Rotate(Keys{Secrets: both}); err != nil {
		return err
	}
	if err := edge.Rotate(Keys{Current: "tue", Secrets: both}); err != nil {
		return err
	}
	renewed, err := fit.ContextWithScenario(context.Background(), edge, abort)
	if err != nil {
		return err
	}
	show("signed on Tuesday", renewed)
	show("Monday's, still under way", signed)
	if err := service.Rotate(Keys{Secrets: map[string][]byte{"tue": tuesday}}); err != nil {
		return err
	}
	show("Monday's, its key retired", signed)
	return nil
}

func secret() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it can't fail
	return key
}
