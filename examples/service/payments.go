package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/fault/faulthttp"
)

// payments calls the service payments. It is an injection point, and it strips the
// scenario from what it sends.
type payments struct {
	http  *http.Client
	url   *url.URL
	token string
}

func newPayments(s *brunt.Setup, settings settings) *payments {
	transport := &http.Transport{DialContext: s.Host.Dial, MaxIdleConnsPerHost: 16}
	s.OnStop(func(context.Context) error { // of the transport itself: otelhttp's doesn't pass it on
		transport.CloseIdleConnections()
		return nil
	})
	return &payments{
		http: &http.Client{
			Timeout:   settings.Timeout,
			Transport: otelhttp.NewTransport(faulthttp.NewTransport(transport, s.Faults), instrumented(s)...),
		},
		url:   settings.Payments,
		token: settings.Token,
	}
}

func (p *payments) charge(ctx context.Context, item string, price int) error {
	address := p.url.JoinPath("charge")
	address.RawQuery = url.Values{"order": {item}, "price": {fmt.Sprint(price)}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address.String(), nil)
	if err != nil {
		return err
	}
	if p.token != "" {
		req.Header.Set("Authorization", "Bearer "+p.token)
	}
	resp, err := p.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("payments answers %s", resp.Status)
	}
	return nil
}
