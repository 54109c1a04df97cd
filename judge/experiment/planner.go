package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/brunt-go/brunt/internal/unit"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// unplanned is the number of calls a fault will break where that cannot be said
// before the run.
const unplanned = -1

// planned is how many calls of the load f breaks, by seed and key, or unplanned.
func (e Experiment) planned(f Fault, c *caller) int {
	m := f.Rule.Match
	narrowed := m.Path != "" || len(m.Methods) > 0 || len(m.Header) > 0 || len(f.Rule.Attempts) > 0
	if !e.Key.Identity() || narrowed {
		return unplanned
	}
	hits := 0
	for index := range e.Load.total() {
		r, _, err := c.request(context.Background(), index)
		if err != nil {
			return unplanned
		}
		key := e.Key.Of(r, uint64(index))
		if key == "" {
			return unplanned
		}
		if httpproxy.Hits(e.Seed, key, f.Rule.Share) {
			hits++
		}
	}
	return hits
}

// DefaultFlake is the largest probability of failing a correct system that a
// plan may have unless it says otherwise.
const DefaultFlake = 0.01

// FlakeProbability is the probability that a correct system fails, by bad luck,
// a demand that at most the share noise of calls is dropped, when each attempt of
// a call breaks with probability share, independently, and the system makes up
// to tries attempts.
//
// Twenty calls of up to four tries, half of the attempts reset, none dropped:
// that fails a correct system in 72 % of its runs.
func FlakeProbability(share float64, calls, tries int, noise float64) float64 {
	q := math.Pow(share, float64(tries))
	return 1 - binomial(calls, q, int(math.Floor(noise*float64(calls)+1e-9)))
}

// binomial is the probability of at most k hits in n draws of probability q.
func binomial(n int, q float64, k int) float64 {
	switch {
	case k >= n || q <= 0:
		return 1
	case q >= 1:
		return 0
	}
	var sum float64
	ln, _ := math.Lgamma(float64(n + 1))
	for i := range k + 1 {
		li, _ := math.Lgamma(float64(i + 1))
		lni, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(ln - li - lni + float64(i)*math.Log(q) + float64(n-i)*math.Log1p(-q))
	}
	return min(1, sum)
}

// flake is the probability that a correct system fails f's arm by bad luck.
// Where a fault is decided by identity there is no luck: the plan says beforehand
// which calls break, and every attempt of them does.
func (e Experiment) flake(f Fault) float64 {
	if e.Key.Identity() || e.Tries < 2 || f.Rule.Share == 1 {
		return 0
	}
	return FlakeProbability(f.Rule.Share, e.Load.total(), e.Tries, e.fixedNoise())
}

// fixedNoise is the noise the plan allows; none when it leaves that to the
// baselines.
func (e Experiment) fixedNoise() float64 {
	if e.Judge.Noise == nil {
		return 0
	}
	return *e.Judge.Noise
}

// checkFlake refuses a fault whose arm a correct system would fail too often.
func (e Experiment) checkFlake(f Fault) error {
	limit := e.Limits.Flake
	if limit == 0 {
		limit = DefaultFlake
	}
	p := e.flake(f)
	if p <= limit {
		return nil
	}
	return fmt.Errorf("a correct system would fail this arm in %.0f%% of its runs: %s of the attempts break, by draw, and %d calls of up to %d tries must keep dropped calls within %s; want at most %s: use share 1 with attempts, a key that identifies the call, or raise limits.flake",
		100*p, unit.FormatShare(f.Rule.Share), e.Load.total(), e.Tries, unit.FormatShare(e.fixedNoise()), unit.FormatShare(limit))
}

// Forecast is what a fault will do, as far as that can be said before the run.
type Forecast struct {
	// Fault names the fault.
	Fault string
	// Calls is how many calls the load makes, Broken how many of them the seed
	// chooses, or -1 where that depends on what comes to the proxy.
	Calls, Broken int
	// Flake is the probability that a correct system fails the arm by bad luck.
	Flake float64
	// Warning says why the arm would prove little, and what to do, or is "":
	// the key does not tell calls apart, or a share hits none or all of them.
	Warning string
}

// Foresee returns a Forecast for each fault of e, or what is wrong with e.
func Foresee(e Experiment) ([]Forecast, error) {
	if err := Check(e); err != nil {
		return nil, err
	}
	c, err := newCaller(e.Load, e.Seed, e.sampleNames(), nil)
	if err != nil {
		return nil, err
	}
	var out []Forecast
	only := e.onlyKey(c)
	for _, f := range e.Faults {
		next := Forecast{Fault: f.Name, Calls: e.Load.total(), Broken: e.planned(f, c), Flake: e.flake(f)}
		switch {
		case only != "" && f.selects():
			next.Warning = planKey + ": " + e.shared(only, next.Calls, f)
		case f.Rule.Share < 1 && (next.Broken == 0 || next.Broken == next.Calls):
			next.Warning = e.hits(f, next.Broken, next.Calls)
		}
		out = append(out, next)
	}
	return out, nil
}

// hits says that a share hits none of the calls, or all.
func (e Experiment) hits(f Fault, broken, calls int) string {
	which, change := "none of the", "raise"
	if broken > 0 {
		which, change = "all", "lower"
	}
	return fmt.Sprintf("a share of %s hits %s %d calls under seed %d: %s the share, send more calls, or change the seed", percent(f.Rule.Share), which, calls, e.Seed, change)
}
