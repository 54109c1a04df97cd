package experiment

import (
	"net/http"
	"time"

	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// Experiment is a system, a load, and what breaks.
type Experiment struct {
	// Name stands in reports. Required.
	Name string
	// Services are started in this order and stopped in reverse.
	Services []Service
	// Proxies are where faults happen.
	Proxies []Proxy
	// Load is sent once in each arm.
	Load Load
	// Outcomes classify an answer: the first that holds names it. An answer
	// none holds for is dropped. Required: Full.
	Outcomes []Outcome
	// Seed decides which requests break, and names the load's traces.
	Seed uint64
	// Key is what identifies a request at the proxies. It has to differ from
	// call to call: calls with the same key break together. Default: its trace
	// id, then its ordinal.
	Key httpproxy.Key
	// Tries is how many attempts the system is said to make of a call that
	// fails, for the planner. Default: 1.
	Tries int
	// Faults are the arms after the baseline, in this order.
	Faults []Fault
	// Limits are the guard rails.
	Limits Limits
	// Judge says what the verdict demands.
	Judge Judge
	// Variants are other forms of the system, for Calibrate.
	Variants []Variant
}

// Service is one part of the system under test: a command or a handler.
type Service struct {
	// Name is what other parts refer to it by. Required.
	Name string
	// Exec is the command and its arguments, Args are added to it; each may
	// refer to addresses, as in {{.Services.catalog.Addr}}. The command finds
	// its own address in LISTEN_ADDR, and the port in PORT.
	Exec []string
	Args []string
	// Env is added to its environment. Values may refer to addresses.
	Env map[string]string
	// Dir is where it is started, and where a relative path of the command is
	// looked for. Default: the working directory.
	Dir string
	// Handler, in place of Exec, serves in this process.
	Handler func(Names) http.Handler
	// Listen is its address; port 0 picks a free one. Default: "127.0.0.1:0".
	Listen string
	// Ready is a URL that answers with a 2xx status once the service can be
	// used. It may refer to addresses. Default: its port accepts connections.
	Ready string
	// ReadyTimeout bounds the wait for that. Default: 10s.
	ReadyTimeout time.Duration
}

// Proxy is an HTTP proxy in front of one service.
type Proxy struct {
	// Name is the injection point. Required.
	Name string
	// Listen is its address; port 0 picks a free one. Default: "127.0.0.1:0".
	Listen string
	// Upstream is where it passes requests on to. It may refer to addresses.
	// Required.
	Upstream string
}

// Outcome is one way a call can end.
type Outcome struct {
	// Name is oracle.Full or oracle.Degraded.
	Name string
	// Holds reports whether an answer is of this kind. An error is the
	// answer's, not the experiment's: it counts as false.
	Holds func(Answer) (bool, error)
}

// Fault is one arm: what breaks at which proxy.
type Fault struct {
	// Name is the arm's. Required; not "none".
	Name string
	// At names the proxy. Required.
	At string
	// Rule says which requests, and what happens to them. Its own name is
	// set to the fault's.
	Rule httpproxy.Rule
}

// Limits are the guard rails of an arm.
type Limits struct {
	// MaxFaulted is the most requests an arm may break. An arm that is run
	// again because the machine stalled has the bound anew. Default: no bound.
	MaxFaulted int
	// MaxShare is the largest share of the load's calls an arm may break,
	// from 0 to 1. Default: no bound.
	MaxShare float64
	// MaxDelay is the longest a request may be held: a longer delay is
	// refused, a hang is reset. Default: no bound.
	MaxDelay time.Duration
	// AbortWhen ends injection and the run when it holds. Default: never.
	AbortWhen *Abort
	// Lease is how long a fault stays when the run stops renewing it.
	// Default: 30s.
	Lease time.Duration
	// Flake is the largest probability that a correct system fails the plan
	// by bad luck, from 0 to 1. Default: 0.01.
	Flake float64
}

// Judge says what the verdict demands.
type Judge struct {
	// Noise is the share of calls that may be less than full without faults:
	// the threshold e. Default: what the two baselines show.
	Noise *float64
	// Require are the oracles each fault's arm must satisfy.
	Require []oracle.Oracle
	// Lag is how long the system may take to come back once the faults are
	// gone. Default: 0.
	Lag time.Duration
	// Scan are the thresholds Calibrate tries. Default: 0, 2, 5, 10 and 30 %.
	Scan []float64
}

// Variant is the system with a known truth, for Calibrate.
type Variant struct {
	// Name stands in reports. Required.
	Name string
	// Healthy says whether the system in this form is correct.
	Healthy bool
	// Services change the services of these names.
	Services map[string]Override
}

// Override changes a Service.
type Override struct {
	// Args are added to the service's own.
	Args []string
	// Env is added to the service's own.
	Env map[string]string
	// Handler, when set, replaces the service's.
	Handler func(Names) http.Handler
}

// With returns the experiment with the changes of v.
func (e Experiment) With(v Variant) Experiment {
	services := make([]Service, len(e.Services))
	for i, s := range e.Services {
		o := v.Services[s.Name]
		s.Args = append(append([]string(nil), s.Args...), o.Args...)
		env := map[string]string{}
		for _, from := range []map[string]string{s.Env, o.Env} {
			for name, value := range from {
				env[name] = value
			}
		}
		s.Env = env
		if o.Handler != nil {
			s.Handler = o.Handler
		}
		services[i] = s
	}
	e.Services = services
	return e
}
