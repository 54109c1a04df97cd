// Package fault makes a request fail where its scenario says.
//
// An [Injector] is built once, from a Decoder of package fit and the longest
// delay any point may wait:
//
//	settings := fault.DefaultSettings()
//	settings.Decoder = codec // such as fault/jsonscenario's
//	faults, err := fault.New(settings)
//
// Servers strip scenarios of callers they don't trust with it, clients evaluate
// their point with it. Code of your own is a point by asking [Injector.Eval],
// or with [Injector.Do]. Packages faulthttp and faultsql put the same points
// into programs that use nothing else of brunt.
//
// A fault is a real failure to whoever meets it: retries, budgets and breakers
// know nothing of injection. An attempt that a fault ended fails with an
// [*InjectedError]. Each evaluation on a request that carries a scenario is an
// event on its span, each strip another; there are no logs and no metrics.
//
// The package imports the standard library, package fit and OpenTelemetry's API
// alone. It needs no provider and touches no global.
package fault
