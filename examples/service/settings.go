package main

import (
	"fmt"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/health/httphealth"
	"github.com/brunt-go/brunt/httpclient"
)

// settings are what an operator says.
type settings struct {
	Addr     string
	Probes   httphealth.Settings
	Payments httpclient.Settings
	Token    string
	Prices   string
}

// readSettings says where each setting comes from, and what it must look like.
func readSettings(s *brunt.Setup) config.Value[settings] {
	env := func(name string) config.Value[string] { return config.Env(s.Process.Environment, name) }
	return config.Struct(func(r *config.Resolver) settings {
		probes := httphealth.DefaultSettings()
		probes.Addr = config.Get(r, env("ORDERS_PROBES_ADDR").Default("localhost:8081").Validate(httphealth.CheckAddr))
		payments := httpclient.DefaultSettings()
		payments.BaseURL = config.Get(r, env("PAYMENTS_URL").Required().Validate(httpclient.CheckBaseURL))
		payments.Timeout = config.Get(r, config.Duration(env("PAYMENTS_TIMEOUT")).Default(2*time.Second).Validate(httpclient.CheckTimeout))
		payments.AttemptTimeout = payments.Timeout // a charge has one attempt
		return settings{
			Addr:     config.Get(r, env("ORDERS_ADDR").Default("localhost:8080").Validate(httphealth.CheckAddr)),
			Probes:   probes,
			Payments: payments,
			Token: config.Get(r, env("PAYMENTS_TOKEN").
				Or(config.File(s.Host.ReadFile, "/run/secrets/payments_token")).Secret().Validate(longEnough)),
			Prices: config.Get(r, env("PRICES_FILE")),
		}
	})
}

func longEnough(token string) error {
	if len(token) < 8 {
		return fmt.Errorf("%q, must have at least 8 characters", token)
	}
	return nil
}
