// Package faulthttp makes HTTP calls injection points, and HTTP servers decide
// whose scenarios they take, in one line each:
//
//	client := &http.Client{Transport: faulthttp.NewTransport(nil, faults)}
//	server.Handler = faulthttp.NewHandler(handler, faults, faulthttp.TrustScenario(fromMesh))
//
// A client's point is http:<host>:<port> of the request's URL. The handler
// takes no caller's scenario unless told to, and the transport sends none on
// unless told to: a missing option opens nothing.
//
// # With OpenTelemetry
//
// otelhttp goes around both, so that a delay is in the attempt's span and the
// events are on it:
//
//	otelhttp.NewTransport(faulthttp.NewTransport(nil, faults))
//	otelhttp.NewHandler(faulthttp.NewHandler(handler, faults), "orders")
//
// The other way round works too; the client's events are then on the caller's
// span.
//
// # Without OpenTelemetry
//
// A program that sets up none of it can use both: what OpenTelemetry has not
// read, they read from the baggage and traceparent headers themselves.
package faulthttp
