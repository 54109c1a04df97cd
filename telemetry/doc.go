// Package telemetry gives an App its traces, metrics and logs.
//
// [Telemetry] is a value with the three providers and the propagator. It stands in
// for OpenTelemetry's globals: every package of brunt takes one, and none of them
// reads or sets a global. [New] builds one from [Settings] and from the variables
// OpenTelemetry defines; [Noop] is one that records nothing.
package telemetry
