// Package httpclient calls one HTTP service, and bears it when that fails: with
// timeouts, retries within a budget, a circuit breaker, and a point where a request's
// scenario makes it fail on purpose.
//
//	settings := httpclient.DefaultSettings()
//	settings.BaseURL = "https://payments:8443"
//	client, err := httpclient.NewClient(s, settings)
//	...
//	resp, err := client.Get("/charges/7")
//
// [NewClient] returns an *http.Client, for one service: it resolves what is relative
// against BaseURL, and refuses other hosts. From the outside in it has
//
//	http.Client      Timeout, for the whole call
//	retries          MaxAttempts, backoff, Retry-After, RetryBudget
//	circuit breaker  BreakerPolicy
//	AttemptTimeout   for each attempt
//	otelhttp         a span for each attempt, http.client.request.duration
//	injection point  http:<host>:<port>; the scenario is stripped after it
//	http.Transport   connections through the Setup's Host, TLS, HTTP/2
//
// so a fault is met by all that should bear it, as the failure it stands for: the
// breaker counts it, the retries try again and meet it again. See
// docs/how-to/call-a-service.md.
//
// Package transport has the layers for an http.Client of your own.
package httpclient
