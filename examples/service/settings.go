package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/health/httphealth"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/httpserver"
)

// settings are what an operator says.
type settings struct {
	API      httpserver.Settings
	Probes   httphealth.Settings
	Payments httpclient.Settings
	Token    string
	Prices   string
}

// readSettings says where each setting comes from, and what it must look like.
func readSettings(s *brunt.Setup) config.Value[settings] {
	env := func(name string) config.Value[string] { return config.Env(s.Process.Environment, name) }
	return config.Struct(func(r *config.Resolver) settings {
		api := httpserver.DefaultSettings()
		api.Addr = config.Get(r, env("ORDERS_ADDR").Default("localhost:8080").Validate(httpserver.CheckAddr))
		api.TrustScenario = fromMesh
		api.PlainText = config.Get(r, config.Bool(env("ORDERS_PLAIN_TEXT")))
		api.TLS = config.Get(r, config.Parse(env("ORDERS_TLS_FILE"), certificate(s.Host)))
		api = config.Get(r, config.Literal(api).Validate(secured))
		probes := httphealth.DefaultSettings()
		probes.Addr = config.Get(r, env("ORDERS_PROBES_ADDR").Default("localhost:8081").Validate(httphealth.CheckAddr))
		payments := httpclient.DefaultSettings()
		payments.BaseURL = config.Get(r, env("PAYMENTS_URL").Required().Validate(httpclient.CheckBaseURL))
		payments.Timeout = config.Get(r, config.Duration(env("PAYMENTS_TIMEOUT")).Default(2*time.Second).Validate(httpclient.CheckTimeout))
		payments.AttemptTimeout = payments.Timeout // a charge has one attempt
		return settings{
			API:      api,
			Probes:   probes,
			Payments: payments,
			Token: config.Get(r, env("PAYMENTS_TOKEN").
				Or(config.File(s.Host.ReadFile, "/run/secrets/payments_token")).Secret().Validate(longEnough)),
			Prices: config.Get(r, env("PRICES_FILE")),
		}
	})
}

// secured has an operator ask for plain text in so many words.
func secured(api httpserver.Settings) error {
	if api.TLS == nil && !api.PlainText {
		return errors.New("ORDERS_TLS_FILE: not set, must be set unless ORDERS_PLAIN_TEXT=true")
	}
	return nil
}

func longEnough(token string) error {
	if len(token) < 8 {
		return fmt.Errorf("%q, must have at least 8 characters", token)
	}
	return nil
}

// certificate reads a file of PEM that has the certificate and its key.
func certificate(h brunt.Host) func(file string) (*tls.Config, error) {
	return func(file string) (*tls.Config, error) {
		pem, err := h.ReadFile(file)
		if err != nil {
			return nil, err
		}
		pair, err := tls.X509KeyPair(pem, pem)
		return &tls.Config{Certificates: []tls.Certificate{pair}}, err
	}
}
