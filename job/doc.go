// Package job runs something once: a Service that is done when its function returns,
// and an App of which nothing else runs ends then. [NewService] is the whole package.
//
// # Trust
//
// A run joins the trace and the baggage of whatever started it, which it finds in the
// environment variables TRACEPARENT, TRACESTATE and BAGGAGE. A scenario in BAGGAGE is
// trusted: there is no TrustScenario, and nothing is stripped. Whoever sets the variable
// sets every other one of the job's variables too, so there is nobody to protect it
// from. A service that starts a job hands on baggage that its own server has stripped
// already. What the job sends is stripped by each of its clients, as ever. See
// docs/concepts/request-faults.md.
package job
