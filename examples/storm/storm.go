package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/brunt-go/brunt/httpclient/transport"
	"github.com/brunt-go/brunt/retry"
)

const (
	clients = 50
	lasting = 6 * time.Second        // no call begins after that
	slow    = 2 * time.Second        // how long the service takes
	patient = 300 * time.Millisecond // how long an attempt waits for it
	bucket  = 100 * time.Millisecond
	settled = 2 * time.Second // they all begin at once, whatever they do then
)

// kind is a way to wait between attempts.
type kind struct {
	name   string
	change func(*retry.Settings)
}

var kinds = []kind{
	{"none", func(s *retry.Settings) { s.BackoffBase = 0 }},
	{"exponential", func(s *retry.Settings) { s.Jitter = 0 }},
	{"full jitter", func(*retry.Settings) {}},
	{"full jitter, budget", func(s *retry.Settings) { s.Budget = retry.DefaultBudgetSettings() }},
}

// service is one that has become slow. It counts when attempts arrive.
type service struct {
	began    time.Time
	mu       sync.Mutex
	arrivals map[time.Duration]int // by the bucket they are in
	attempts int
	calls    int
}

// RoundTrip implements http.RoundTripper.
func (s *service) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.attempts++
	s.arrivals[time.Since(s.began)/bucket]++
	s.mu.Unlock()
	timer := time.NewTimer(slow)
	defer timer.Stop()
	select {
	case <-req.Context().Done():
		return nil, context.Cause(req.Context())
	case <-timer.C:
	}
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: req}, nil
}

// peak is the most attempts in one bucket, once the clients go their own ways.
func (s *service) peak() (most int) {
	for at, n := range s.arrivals {
		if at*bucket >= settled {
			most = max(most, n)
		}
	}
	return most
}

// storm has 50 clients call a service that is too slow for them, and try again.
func storm(ctx context.Context, k kind) (*service, error) {
	settings := retry.DefaultSettings()
	settings.MaxAttempts = 4
	settings.Budget = retry.BudgetSettings{Max: 1e6, Start: 1e6} // none, in effect
	k.change(&settings)
	policy, err := retry.New(settings)
	if err != nil {
		return nil, err
	}
	s := &service{began: time.Now(), arrivals: map[time.Duration]int{}}
	client := &http.Client{Transport: transport.NewRetry(transport.NewAttemptTimeout(s, patient), policy, nil)}
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for time.Since(s.began) < lasting {
				call(ctx, client)
				s.mu.Lock()
				s.calls++
				s.mu.Unlock()
			}
		})
	}
	wg.Wait()
	return s, nil
}

// call makes a call that fails.
func call(ctx context.Context, client *http.Client) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://orders/", nil)
	if err != nil {
		return
	}
	if resp, err := client.Do(req); err == nil {
		resp.Body.Close()
	}
}

// print writes a line for each kind.
func print(w io.Writer, results []*service) {
	fmt.Fprintf(w, "%-22s %8s %9s %9s %16s\n", "wait between attempts", "calls", "attempts", "per call", "peak per 100 ms")
	for i, s := range results {
		fmt.Fprintf(w, "%-22s %8d %9d %9.1f %16d\n", kinds[i].name, s.calls, s.attempts, float64(s.attempts)/float64(s.calls), s.peak())
	}
}
