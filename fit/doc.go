// Package fit is the model of a request that fails on purpose.
//
// A [Scenario] is an ordered list of rules; a [Rule] names an injection point,
// such as http:payments:8443, and the [Fault] that happens there: a delay, an
// abort, a reply, a lost answer. The scenario travels in the request's
// OpenTelemetry baggage, beside its trace context, and each point the request
// passes looks itself up in it. A request without a scenario is never touched.
//
// The wire format belongs to whoever owns the edge: a [Decoder] reads a
// scenario from baggage and strips it, an [Encoder] writes one. Package
// fault/jsonscenario is a ready-made codec. Package fault turns an [Evaluator]
// into the Injector that servers and clients take.
//
// What is called when:
//
//	at start        NewEvaluator
//	at the edge     ContextWithScenario
//	in a server     Evaluator.Carries, Strip, Remember
//	in a client     ContextWithAttempt, Evaluator.Eval, Fault.Wait, Strip
//
// The package imports the standard library and OpenTelemetry's API alone,
// keeps no state between calls and starts no goroutine.
package fit
