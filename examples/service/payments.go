package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/httpclient"
)

// payments calls the service payments. A charge is a POST, which is never sent twice.
type payments struct {
	http  *http.Client
	token string
}

// newPayments returns a client that is an injection point, and that strips the scenario
// from what it sends.
func newPayments(s *brunt.Setup, settings settings) (*payments, error) {
	client, err := httpclient.NewClient(s, settings.Payments)
	if err != nil {
		return nil, err
	}
	return &payments{http: client, token: settings.Token}, nil
}

func (p *payments) charge(ctx context.Context, item string, price int) error {
	query := url.Values{"order": {item}, "price": {fmt.Sprint(price)}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "/charge?"+query.Encode(), nil)
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
