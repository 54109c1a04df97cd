package brunt_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/telemetry"
)

// ticker is a Service that does something every now and then.
type ticker struct {
	every   time.Duration
	stopped chan struct{}
}

func (t *ticker) Serve(context.Context) error {
	tick := time.NewTicker(t.every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C: // do something
		case <-t.stopped:
			fmt.Println("ticker stopped")
			return nil
		}
	}
}

func (t *ticker) Shutdown(context.Context) error {
	close(t.stopped)
	return nil
}

// initialize is what an App does before it serves.
func initialize(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
	every, err := config.Duration(config.Env(s.Process.Environment, "EVERY")).Default(time.Minute).Read(ctx)
	if err != nil {
		return nil, err
	}
	fmt.Println("ticking every", every)
	s.OnStop(func(context.Context) error {
		fmt.Println("released")
		return nil
	})
	return []brunt.Service{&ticker{every, make(chan struct{})}}, nil
}

// An App, which in main is brunt.Main(initialize).
func Example() {
	app := brunt.NewApp(initialize, brunt.WithTelemetry(telemetry.NoopBuilder))

	signals := make(chan os.Signal, 1)
	time.AfterFunc(10*time.Millisecond, func() { signals <- os.Interrupt })
	status := app.Run(context.Background(), brunt.Process{
		Environment: map[string]string{"EVERY": "1s"},
		Signals:     signals,
	})
	fmt.Println(status)
	// Output:
	// ticking every 1s
	// ticker stopped
	// released
	// exit status 0
}

// What an App was told wrong is an exit status of its own.
func ExampleStatus() {
	app := brunt.NewApp(initialize, brunt.WithTelemetry(telemetry.NoopBuilder))
	status := app.Run(context.Background(), brunt.Process{Environment: map[string]string{"EVERY": "1"}})
	fmt.Println(status)
	var e *config.Error
	fmt.Println(status.Code() == brunt.ExitConfig, errors.As(status.Err(), &e), e.Name)
	// Output:
	// exit status 78: init: EVERY="1": want a duration such as "250ms" or "1m30s"
	// true true EVERY
}

// Failure injection is on with one option. Its settings are read like any others.
func ExampleWithFaults() {
	faults := func(context.Context, *brunt.Setup) (fault.Settings, error) {
		codec, err := jsonscenario.New("acme.fault")
		if err != nil {
			return fault.Settings{}, err
		}
		settings := fault.DefaultSettings()
		settings.Decoder = codec
		return settings, nil
	}
	init := func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		// s.Faults is there: hand s on to servers and clients, or use it yourself.
		fmt.Println(s.Faults.MayBeIn("acme.fault=%7B%7D"))
		return nil, nil
	}
	app := brunt.NewApp(init, brunt.WithTelemetry(telemetry.NoopBuilder), brunt.WithFaults(faults))
	fmt.Println(app.Run(context.Background(), brunt.Process{}))
	// Output:
	// true
	// exit status 0
}

// The functions are called in reverse order, as those of defer are.
func ExampleSetup_OnStop() {
	init := func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		s.OnStop(func(context.Context) error { fmt.Println("close the database"); return nil })
		s.OnStop(func(context.Context) error { fmt.Println("flush the cache"); return nil })
		return nil, errors.New("no queue")
	}
	app := brunt.NewApp(init, brunt.WithTelemetry(telemetry.NoopBuilder))
	fmt.Println(app.Run(context.Background(), brunt.Process{}))
	// Output:
	// flush the cache
	// close the database
	// exit status 1: init: no queue
}
