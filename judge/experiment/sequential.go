package experiment

import "math"

// Abort is a condition under which a run is ended early.
type Abort struct {
	// Text is the condition as it stands in the plan.
	Text string
	// Holds evaluates it. A condition that cannot be evaluated ends the run.
	Holds func(Shares) (bool, error)
}

// Shares are what an Abort looks at: shares of the calls that have ended.
type Shares struct {
	Full, Degraded, Dropped float64
	// Requests is how many calls have ended, Injected how many requests have
	// been broken.
	Requests, Injected int
}

// falseAbort is the probability, over all looks of an arm together, that a run
// is ended although the condition does not hold of the system.
const falseAbort = 0.01

// holds reports whether the condition is sure to hold, however often it has been
// looked at before. The first calls of an arm say little: one dropped call of
// one is not a share of 100 %. So the condition is evaluated at the ends of each
// share's confidence sequence, and must hold at all of them.
func (a *Abort) holds(full, degraded, dropped, injected int) bool {
	n := full + degraded + dropped
	var ends [3][2]float64
	for i, k := range [3]int{full, degraded, dropped} {
		ends[i][0], ends[i][1] = interval(k, n, falseAbort)
	}
	for corner := range 8 {
		ok, err := a.Holds(Shares{
			Full: ends[0][corner&1], Degraded: ends[1][corner>>1&1], Dropped: ends[2][corner>>2&1],
			Requests: n, Injected: injected,
		})
		if err != nil {
			return true
		}
		if !ok {
			return false
		}
	}
	return true
}

// interval is a confidence sequence for a share of which k of n were seen: with
// probability 1-alpha it contains the true share at every n at once, so it may
// be looked at after each call.
//
// It is what an e-process leaves standing: the shares p whose likelihood is at
// least alpha times that of the uniform mixture over all shares (Robbins 1970;
// Ville's inequality). The mixture's likelihood is the Beta function.
func interval(k, n int, alpha float64) (lo, hi float64) {
	if n == 0 {
		return 0, 1
	}
	a, b := float64(k), float64(n-k)
	bound := logBeta(a+1, b+1) + math.Log(alpha)
	in := func(p float64) bool { return xlogy(a, p)+xlogy(b, 1-p) >= bound }
	peak := a / float64(n)
	return search(in, peak, 0), search(in, peak, 1)
}

// search finds the end of an interval that contains inside, towards edge.
func search(in func(float64) bool, inside, edge float64) float64 {
	if in(edge) {
		return edge
	}
	outside := edge
	for range 40 {
		mid := (inside + outside) / 2
		if in(mid) {
			inside = mid
		} else {
			outside = mid
		}
	}
	return outside
}

func logBeta(a, b float64) float64 {
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	return la + lb - lab
}

// xlogy is x*log(y), and 0 where x is.
func xlogy(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x * math.Log(y)
}
