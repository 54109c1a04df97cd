// Package httpproxy is a reverse proxy that breaks chosen requests.
//
// A [Proxy] stands between a service and one upstream. Without rules it passes
// everything on: keep-alive, HTTP/2, streamed bodies, trailers, upgrades and
// cancellation behave as they do without it. [Proxy.Arm] puts [Rules] on it; each
// rule says which requests it is about and which [Fault] happens to them.
//
// A request is chosen by its identity, its key, so the same seed breaks the same
// requests, at any concurrency. What was decided and what then passed on the wire
// is recorded apart from each other, the one by the injector, the other by an
// observer that knows nothing of it: two receipts for one fault.
//
// Each fault is a file of its own. To add one, copy reset.go, change what it
// does, and give it a line in the table of fault.go.
package httpproxy
