// Package telemetry gives an App its traces, metrics and logs.
//
// [Telemetry] is a value with the three providers and the propagator. It stands in
// for OpenTelemetry's globals: every package of brunt takes one, and none of them
// reads or sets a global. [New] builds one from [Settings] and from the variables
// OpenTelemetry defines; [Noop] is one that records nothing.
//
// docs/reference/telemetry.md lists the variables, and every name brunt emits.
//
// # What the SDK reads by itself
//
// New takes variables from the environment it is given, and gives OpenTelemetry's
// exporters every option, so that they look nothing up in the process's own. What is
// left are the SDK's sizes of queues (OTEL_BSP_MAX_QUEUE_SIZE and its like), its limits
// (OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT and its like), OTEL_METRICS_EXEMPLAR_FILTER, its
// experiments (OTEL_GO_X_...), and attributes of OTEL_RESOURCE_ATTRIBUTES that the
// given environment does not set. These are one and the same in an App that runs on the
// operating system.
package telemetry
