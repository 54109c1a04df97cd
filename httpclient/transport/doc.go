// Package transport has the layers that httpclient is made of, for an http.Client of
// your own: one line each, no runtime.
//
//	client.Transport = transport.NewBreaker(client.Transport, breaker, nil)
//	client.Transport = transport.NewRetry(client.Transport, policy, nil)
//
// The order from the outside in is [Retry], [Breaker], [AttemptTimeout], then whatever
// traces an attempt (otelhttp), then the injection point (fault/faulthttp), then the
// transport. So a fault is a failure to everything that should bear one, and each
// attempt is on a span of its own.
//
// What a result means is said by a [Classify] function, once for each attempt: by the
// Breaker, and by a Retry that is not right around one.
package transport
