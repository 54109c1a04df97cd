package httpproxy

import (
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"

	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/internal/baggageheader"
	"github.com/brunt-go/brunt/judge/ledger"
)

// WithScenarios makes the proxy an injection point for the requests that carry
// a scenario in their baggage header, in whatever language their caller is
// written. The point is http:<host>:<port> of the upstream, see [Proxy.Point].
//
// decoder reads scenarios and says which members they are in. trust reports
// whether the scenario a request carries counts. It is asked only about a
// request that carries one; nil trusts nobody. What the decoder reads is stripped
// from every request before it goes on, trusted or not; all other baggage stays
// as it was written. A scenario that can't be read is stripped and logged, and
// its request goes on unharmed.
//
// A request that one of the rules of [Proxy.Arm] chooses is that rule's alone;
// any other is its scenario's.
//
// Default: the proxy knows of no scenarios, and passes all baggage on.
func WithScenarios(decoder fit.Decoder, trust func(*http.Request) bool, opts ...ScenarioOption) Option {
	return optionFunc(func(p *Proxy) {
		if decoder == nil {
			return
		}
		s := &scenarios{
			decoder: decoder, evaluator: fit.NewEvaluator(decoder, 0, nil), trust: trust,
			maxDelay: longestDelay, attempts: newAttempts(),
		}
		for _, o := range opts {
			o(s)
		}
		p.scenarios = s
	})
}

// ScenarioOption changes a default of [WithScenarios].
type ScenarioOption func(*scenarios)

// ForwardScenario passes trusted scenarios on to the upstream, which decides for
// itself whether to trust them. Those of callers the proxy doesn't trust are
// stripped all the same.
func ForwardScenario() ScenarioOption { return func(s *scenarios) { s.forward = true } }

// WithMaxDelay bounds how long a scenario may delay a request: a longer delay is
// clamped to d. Default: 10s.
func WithMaxDelay(d time.Duration) ScenarioOption {
	return func(s *scenarios) { s.maxDelay = max(d, 0) }
}

// RecordScenarios records a Decision and an Exchange for each request whose
// scenario counts, while the proxy is not armed. While it is, its own recorder
// gets them, as it does of all requests. Default: none.
func RecordScenarios(r ledger.Recorder) ScenarioOption {
	return func(s *scenarios) { s.recorder = r }
}

// longestDelay is package fault's default, too.
const longestDelay = 10 * time.Second

// scenarios is the injection point.
type scenarios struct {
	decoder   fit.Decoder
	evaluator fit.Evaluator
	trust     func(*http.Request) bool
	forward   bool
	maxDelay  time.Duration
	recorder  ledger.Recorder

	log      *slog.Logger
	point    string
	attempts *attempts
	// standing is what a request with a scenario passes while nothing is armed,
	// and what holds it in any case: disarming rules lets none of these go.
	standing *Armed
}

// start makes the point ready, once the proxy is.
func (s *scenarios) start(p *Proxy, upstream *url.URL) {
	s.log, s.point = p.log, point(upstream)
	s.standing = newArmed(p, Arming{Recorder: s.recorder})
}

// Point is the injection point the proxy is to requests that carry a scenario:
// http:<host>:<port> of its upstream, in lower case.
func (p *Proxy) Point() string {
	upstream, err := upstreamURL(p.settings.Upstream)
	if err != nil {
		return "" // New refuses it
	}
	return point(upstream)
}

func point(upstream *url.URL) string {
	return "http:" + net.JoinHostPort(strings.ToLower(upstream.Hostname()), upstream.Port())
}

// carried is the scenario of a request that is trusted with it. Nil is none.
type carried struct {
	baggage baggage.Baggage
}

// admit takes what the decoder reads out of r's header, and returns it where it
// counts.
func (s *scenarios) admit(r *http.Request) (*http.Request, *carried) {
	if s == nil || len(r.Header[baggageheader.Name]) == 0 {
		return r, nil
	}
	lines := r.Header[baggageheader.Name]
	members, rest, found := baggageheader.Split(lines, s.evaluator)
	if !found {
		return r, nil
	}
	trusted := s.trust != nil && s.trust(r)
	if !trusted || !s.forward {
		r = r.WithContext(r.Context())
		r.Header = r.Header.Clone()
		baggageheader.Set(r.Header, rest)
	}
	if !trusted {
		return r, nil
	}
	return r, &carried{baggageheader.Read(lines, members)}
}

// decide returns what c says happens to r, nil for nothing, and which attempt of
// its call r is.
func (s *scenarios) decide(r *http.Request, c *carried) (rule *Rule, attempt int) {
	scenario, ok, err := s.decoder.Decode(c.baggage)
	if err != nil || !ok {
		if err != nil {
			s.rejected(r, err)
		}
		return nil, 0
	}
	// A share is of the trace's requests, and so are attempts.
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	attempt = s.attempt(r)
	at := scenario.Decide(fit.ContextWithAttempt(ctx, attempt), s.point)
	if at < 0 {
		return nil, 0
	}
	faults := s.faults(scenario.Rules[at].Fault)
	if len(faults) == 0 {
		return nil, 0
	}
	rule = &Rule{Name: "scenario " + scenario.Rules[at].Point, Faults: faults}
	for _, f := range faults {
		if err := f.Check(); err != nil {
			s.rejected(r, err)
			return nil, 0
		}
	}
	return rule, attempt
}

func (s *scenarios) rejected(r *http.Request, err error) {
	s.log.WarnContext(r.Context(), "scenario rejected", slog.String("point", s.point), slog.Any("error", err))
}

// attempt counts the requests of one trace that have the same method and
// address: the caller's retries look alike, its other calls don't. Requests
// without a trace can't be told apart, and are all first ones.
func (s *scenarios) attempt(r *http.Request) int {
	trace := TraceID(r.Header)
	if trace == "" {
		return 1
	}
	return s.attempts.next(trace + " " + r.Method + " " + r.URL.RequestURI())
}

// decideScenario lets the scenario of a request that no rule chose decide.
func (v *visit) decideScenario(r *http.Request, c *carried, decision *ledger.Decision) {
	s := v.armed.proxy.scenarios
	rule, attempt := s.decide(r, c)
	if rule == nil {
		return
	}
	v.rule, v.holder = rule, s.standing
	v.attempt = attempt
	decision.Spared = "" // the rules had no key to decide by
}
