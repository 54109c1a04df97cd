package telemetry

import sdktrace "go.opentelemetry.io/otel/sdk/trace"

// sampler returns the SDK's sampler of that name.
func (s Settings) sampler() sdktrace.Sampler {
	switch s.Sampler {
	case SamplerAlwaysOn:
		return sdktrace.AlwaysSample()
	case SamplerAlwaysOff:
		return sdktrace.NeverSample()
	case SamplerTraceIDRatio:
		return sdktrace.TraceIDRatioBased(s.SampleRatio)
	case SamplerParentBasedAlwaysOff:
		return sdktrace.ParentBased(sdktrace.NeverSample())
	case SamplerParentBasedTraceIDRatio:
		return sdktrace.ParentBased(sdktrace.TraceIDRatioBased(s.SampleRatio))
	default: // SamplerParentBasedAlwaysOn: CheckSettings lets nothing else through
		return sdktrace.ParentBased(sdktrace.AlwaysSample())
	}
}
