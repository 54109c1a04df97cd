package transport

import (
	"net/http"

	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/retry"
)

// Breaker is a circuit breaker around a RoundTripper. What it rejects fails with a
// [*circuit.RejectedError] and is not sent. An attempt ends for it when the answer's
// header is there. It is safe for concurrent use.
type Breaker struct {
	base     http.RoundTripper
	breaker  *circuit.Breaker
	classify Classify
}

var _ attempter = (*Breaker)(nil)

// NewBreaker returns base with breaker around it. A nil base is [http.DefaultTransport],
// a nil classify [DefaultClassify]. breaker is that of one dependency: a client of many
// needs one for each.
func NewBreaker(base http.RoundTripper, breaker *circuit.Breaker, classify Classify) *Breaker {
	return &Breaker{base: or(base), breaker: breaker, classify: classify.or()}
}

// RoundTrip implements [http.RoundTripper].
func (b *Breaker) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, _, err := b.attempt(req)
	return resp, err
}

// CloseIdleConnections closes those of the RoundTripper inside.
func (b *Breaker) CloseIdleConnections() { closeIdle(b.base) }

// attempt implements attempter.
func (b *Breaker) attempt(req *http.Request) (*http.Response, Classification, error) {
	ctx := req.Context()
	late := ctx.Err() != nil // before anything is sent
	permit, err := b.breaker.Allow(ctx)
	if err != nil {
		closeBody(req)
		return nil, Classification{retry.Stop, circuit.Rejected}, err
	}
	// What panics on its way says nothing of the dependency, and must not keep a probe's
	// place.
	c := Classification{retry.Stop, circuit.Ignored}
	var failed error
	defer func() { permit.Done(ctx, c.Breaker, failed) }()
	resp, err := send(b.base, req)
	failed = err
	judged, broken := b.classify.judge(ctx, resp, err)
	if broken != nil {
		return nil, c, broken
	}
	c = judged
	if late && err != nil {
		c.Breaker = circuit.Ignored
	}
	return resp, c, err
}
