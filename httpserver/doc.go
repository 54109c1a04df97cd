// Package httpserver serves HTTP as a [brunt.Service]: over TLS unless plain text is
// asked for by name, HTTP/2 and HTTP/1.1, with bounds on what a client may send and on
// how long it may take.
//
//	settings := httpserver.DefaultSettings()
//	settings.Addr = ":8443"
//	settings.TLS = &tls.Config{Certificates: certificates}
//	api, err := httpserver.NewService(s, settings, mux)
//
// A request passes these layers, and the handler last:
//
//	limit      the request's body is cut off at MaxBodyBytes
//	otelhttp   the trace and the baggage are read, the span begins
//	rescue     a panic becomes a record, an event on the span, and a 500; a body
//	           announced as too large is answered with 413; the context has the
//	           deadline that the caller tells by RemainingHeader
//	strip      the scenario of a caller TrustScenario doesn't trust is taken out
//	handler
//
// [NewHandler] is the layers without the server, for an http.Server there is already.
//
// # Scenarios
//
// A scenario is an instruction to fail, and a server takes it from nobody unless told
// to: see Settings.TrustScenario, docs/how-to/serve-http.md and
// docs/concepts/request-faults.md. A server is no injection point.
//
// # What is written down
//
// A client that sends too much, too slowly or nonsense gets the answer HTTP has for it,
// and there is one log record that names the setting it ran into or the client. Of one
// kind there is a record a second at the most, which says how many were left out. See
// docs/reference/telemetry.md.
package httpserver
