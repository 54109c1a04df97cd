// Command service is orders, a service on the runtime: a handler that has payments
// charge an order, a job that loads the prices, settings from the environment, health
// probes, and failure injection. Its README shows it running.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/health"
	"github.com/brunt-go/brunt/health/httphealth"
	"github.com/brunt-go/brunt/httpserver"
	"github.com/brunt-go/brunt/job"
)

func main() {
	brunt.Main(initialize, brunt.WithFaults(faults))
}

// initialize builds the App's Services. The probes are first, so they stop last.
func initialize(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
	settings, err := readSettings(s).Read(ctx)
	if err != nil {
		return nil, err
	}
	prices := &prices{read: s.Host.ReadFile, file: settings.Prices}
	probes, err := httphealth.NewService(s, settings.Probes, health.Readiness(&prices.loaded))
	if err != nil {
		return nil, fmt.Errorf("probes: %w", err)
	}
	payments, err := newPayments(s, settings)
	if err != nil {
		return nil, err
	}
	api, err := httpserver.NewService(s, settings.API, newAPI(s, prices, payments))
	if err != nil {
		return nil, fmt.Errorf("api: %w", err)
	}
	return []brunt.Service{probes, api, job.NewService(s, prices.load)}, nil
}

// faults is the App's failure injection: a scenario is JSON in the baggage member
// acme.fault, and an operator bounds its delays with FAULT_MAX_DELAY.
func faults(ctx context.Context, s *brunt.Setup) (fault.Settings, error) {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		return fault.Settings{}, err
	}
	d := fault.DefaultSettings()
	return config.Struct(func(r *config.Resolver) fault.Settings {
		c := d
		c.Decoder = codec
		c.MaxDelay = config.Get(r, config.Parse(config.Env(s.Process.Environment, "FAULT_MAX_DELAY"), time.ParseDuration).
			Default(d.MaxDelay).Validate(fault.CheckMaxDelay))
		return c
	}).Read(ctx)
}
