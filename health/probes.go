package health

import "context"

// Probes are the two questions an orchestrator asks about an App.
type Probes struct {
	// Liveness is whether the process works at all. Nil: it does, as it answers.
	Liveness Monitor
	// Readiness is whether the App can do its work now. Nil: it can.
	Readiness Monitor
}

// Option sets one of the Probes. Of several that set the same, the last counts. A nil
// Option changes nothing.
type Option interface{ apply(*Probes) }

type optionFunc func(*Probes)

func (f optionFunc) apply(p *Probes) { f(p) }

// Liveness sets Probes.Liveness.
func Liveness(m Monitor) Option { return optionFunc(func(p *Probes) { p.Liveness = m }) }

// Readiness sets Probes.Readiness.
func Readiness(m Monitor) Option { return optionFunc(func(p *Probes) { p.Readiness = m }) }

// NewProbes returns Probes in which nothing is nil.
func NewProbes(opts ...Option) Probes {
	var p Probes
	for _, o := range opts {
		if o != nil {
			o.apply(&p)
		}
	}
	well := MonitorFunc(func(context.Context) (bool, error) { return true, nil })
	if p.Liveness == nil {
		p.Liveness = well
	}
	if p.Readiness == nil {
		p.Readiness = well
	}
	return p
}
