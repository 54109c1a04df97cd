package report

import (
	"strconv"
	"strings"

	"github.com/brunt-go/brunt/judge/experiment"
)

// matrix has a row for each variant and arm of a calibration.
func (r *Report) matrix() table {
	t := table{columns: []column{
		{"config", false}, {"fault", false}, {"injected", true}, {"full", true}, {"degraded", true},
		{"dropped", true}, {"timeouts", true}, {"drop rate", true},
	}}
	for _, trial := range r.Trials {
		for _, a := range trial.main() {
			t.rows = append(t.rows, plain(trial.Variant, a.Fault, strconv.Itoa(a.Injected), strconv.Itoa(a.Full),
				strconv.Itoa(a.Degraded), strconv.Itoa(a.Dropped), strconv.Itoa(a.Timeouts), rate(a.DropRate())))
		}
	}
	return t
}

// scan has a row for each threshold and rule.
func (c *Calibration) scan() table {
	t := table{columns: []column{
		{"threshold e", false}, {"rule", false}, {"passing", false}, {"false pass", true}, {"false fail", true},
	}}
	for _, s := range c.Scan {
		passing := "none"
		if len(s.Passing) > 0 {
			passing = strings.Join(s.Passing, ", ")
		}
		t.rows = append(t.rows, []cell{
			{share(s.Threshold), ""}, {s.Rule, ""}, {passing, ""}, wrong(s.FalsePass), wrong(s.FalseFail),
		})
	}
	return t
}

func wrong(n int) cell {
	if n == 0 {
		return cell{"0", green}
	}
	return cell{strconv.Itoa(n), red}
}

// verdicts has a row for each variant of a calibration.
func (r *Report) verdicts() table {
	t := table{columns: []column{{"config", false}, {"truth", false}, {"verdict", false}, {"guard", false}, {"why", false}}}
	for _, trial := range r.Trials {
		guard := "-"
		if guards := trial.guards(); len(guards) > 0 {
			guard = strings.Join(guards, ", ")
		}
		t.rows = append(t.rows, []cell{
			{trial.Variant, ""}, {trial.Truth, ""}, {string(trial.Verdict), verdictColour(trial.Verdict)},
			{guard, ""}, {trial.Why, ""},
		})
	}
	return t
}

// guards are the guards the findings say did not engage, each once.
func (t Trial) guards() []string {
	var names []string
	seen := map[string]bool{"": true}
	for _, f := range t.Findings {
		if !seen[f.Guard] {
			seen[f.Guard] = true
			names = append(names, f.Guard)
		}
	}
	return names
}

// arms has a row for each arm of a run.
func (t Trial) arms() table {
	out := table{columns: []column{
		{"arm", false}, {"phase", false}, {"injected", true}, {"witnessed", true}, {"full", true}, {"degraded", true},
		{"dropped", true}, {"timeouts", true}, {"p50", true}, {"p99", true}, {"max", true},
	}}
	for _, a := range t.Arms {
		out.rows = append(out.rows, plain(a.Fault, string(a.Phase), strconv.Itoa(a.Injected), a.Witnessed.String(),
			strconv.Itoa(a.Full), strconv.Itoa(a.Degraded), strconv.Itoa(a.Dropped), strconv.Itoa(a.Timeouts),
			short(a.Latency.P50), short(a.Latency.P99), short(a.Latency.Max)))
	}
	return out
}

// receipts has a row for each fault.
func (t Trial) receipts() table {
	out := table{columns: []column{
		{"fault", false}, {"point", false}, {"planned", true}, {"injected", true}, {"witnessed", true}, {"calls", true}, {"agree", false},
	}}
	for _, r := range t.Receipts {
		agree := cell{"yes", green}
		if !r.Agree {
			agree = cell{"no: " + r.Why, red}
		}
		out.rows = append(out.rows, append(plain(r.Fault, r.Point, r.Planned.String(), strconv.Itoa(r.Injected),
			strconv.Itoa(r.Witnessed), r.Calls.String()), agree))
	}
	return out
}

// noise says in one sentence what the threshold is and where it comes from.
func (t Trial) noise() string {
	from := "measured"
	if t.Noise.FromPlan {
		from = "from the plan"
	}
	text := "Noise: e = " + share(t.Noise.Threshold) + ", " + from + "; "
	for _, a := range t.Arms {
		if a.Phase == experiment.PhaseRepeat {
			return text + "the two baselines had " + share(t.Noise.First) + " and " + share(t.Noise.Second) + " of their calls less than full."
		}
	}
	return text + "the baseline had " + share(t.Noise.First) + " of its calls less than full."
}
