// Package httphealth answers an orchestrator's probes over HTTP: [NewService] on a
// server of its own, [NewHandler] on a server there is already.
//
//	GET /health/liveness    200 when the App is alive, 503 when it isn't
//	GET /health/readiness   200 when the App is ready, 503 when it isn't
//
// An App that is stopping is not ready, from before its drain delay on. The body says
// "ok" or "unavailable" and no more: why is in the App's logs.
//
// The server of NewService reads no baggage, so a probe never carries a scenario, and
// it is no injection point. A handler on another server is behind that server's strip,
// as its other requests are. See docs/concepts/request-faults.md.
package httphealth
