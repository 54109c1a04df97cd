package httpclient_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/config"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/retry"
)

// newPayments returns the client of payments, as an operator sets it.
func newPayments(ctx context.Context, s *brunt.Setup) (*http.Client, error) {
	env := func(name string) config.Value[string] { return config.Env(s.Process.Environment, name) }
	settings, err := config.Struct(func(r *config.Resolver) httpclient.Settings {
		c := httpclient.DefaultSettings()
		c.BaseURL = config.Get(r, env("PAYMENTS_URL").Required().Validate(httpclient.CheckBaseURL))
		c.Timeout = config.Get(r, config.Duration(env("PAYMENTS_TIMEOUT")).Default(c.Timeout).Validate(httpclient.CheckTimeout))
		c.ForwardScenario = true // payments is ours, and takes part with the same codec
		return c
	}).Read(ctx)
	if err != nil {
		return nil, err
	}
	return httpclient.NewClient(s, settings)
}

// A service that is down for a moment.
func ExampleNewClient() {
	attempts := 0
	payments := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if attempts++; attempts == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer payments.Close()
	s := &brunt.Setup{Process: brunt.Process{Environment: map[string]string{"PAYMENTS_URL": payments.URL}}}

	client, err := newPayments(context.Background(), s)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.CloseIdleConnections() // as the App does when it ends
	resp, err := client.Get("/charges/7")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status, "after", attempts, "attempts")
	// Output: 200 OK after 2 attempts
}

// A Classify that lets no injected failure move the breaker, and leaves all else to the
// default.
func ExampleSettings_classify() {
	settings := httpclient.DefaultSettings()
	classify := settings.Classify
	settings.Classify = func(resp *http.Response, err error) httpclient.Classification {
		var ie *fault.InjectedError
		if errors.As(err, &ie) {
			return httpclient.Classification{Retry: retry.Stop, Breaker: circuit.Ignored}
		}
		return classify(resp, err)
	}
	fmt.Println(settings.Classify(nil, &fault.InjectedError{Point: "http:payments:8443"}))
	fmt.Println(settings.Classify(nil, errors.New("connection refused")))
	// Output:
	// {stop ignored}
	// {retry failure}
}
