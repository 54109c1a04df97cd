// Package circuit keeps calls away from a dependency that fails.
//
// A [Breaker] is closed as long as calls go well. After some failures in a row it is
// open: it rejects calls at once, with an error that matches [ErrRejected], and leaves
// the dependency alone for a while. Then it is half open and lets a probe through, whose
// outcome closes or opens it again.
//
//	permit, err := breaker.Allow(ctx)
//	if err != nil {
//		return err
//	}
//	err = charge(ctx)
//	permit.Done(ctx, outcome(err), err)
//
// What counts as a failure is the caller's to say; see [Outcome]. States and counts are
// those of sony/gobreaker. The package needs no runtime, and httpclient/transport makes
// it a layer of an http.Client.
//
// Calls and transitions are counted, the state can be observed, each transition is a log
// record, and each rejection an event on the span of the call.
package circuit
