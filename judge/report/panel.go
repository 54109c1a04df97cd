package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
)

// panel is the picture of one arm: a timeline of its calls, and beside it, on
// the same axis, how their latencies are distributed. Widths are percentages and
// heights pixels, so that it fits any screen without a script.
type panel struct {
	Title, Subtitle string
	Arm             Arm
	Ticks           []panelTick
	Marks           []panelMark
	Bars            []panelBar
	// End is how long the arm took, Height how high the plot is.
	End    string
	Height int
	// Sampled says so when not every call is drawn, or is "".
	Sampled string
	// Timeline and Distribution describe the pictures in words.
	Timeline, Distribution string
	Outcomes               []part
	Chain                  []chainLink
	Disagree               string
}

type panelTick struct{ Y, Label string }

// panelMark is a call: its shape and colour tell the outcome; a stem down to the
// axis tells that it was broken.
type panelMark struct {
	Shape, X, Y, Text string
	Broken            bool
}

type panelBar struct{ Y, Width, Height, Text string }

// chainLink is one of the counts of a receipt that should all be equal.
type chainLink struct {
	Label string
	Count Known
	// Sign stands before it: "=" or "≠" to the first, "" for the first.
	Sign string
}

// The plot, in pixels.
const (
	plotHeight = 150
	plotTop    = 8
	plotBottom = plotHeight - 8
)

func newPanel(a Arm, s scale, receipts []Receipt) panel {
	p := panel{
		Title: a.title(), Subtitle: a.subtitle(), Arm: a, Height: plotHeight, End: short(a.Took),
		Outcomes: a.outcomes(),
		Timeline: fmt.Sprintf("Timeline of %d calls over %s: %d full, %d degraded, %d dropped; %d requests broken.",
			a.Requests, short(a.Took), a.Full, a.Degraded, a.Dropped, a.Injected),
		Distribution: fmt.Sprintf("Latencies: half of the calls took at most %s, 99 %% at most %s, the longest %s.",
			short(a.Latency.P50), short(a.Latency.P99), short(a.Latency.Max)),
	}
	y := func(d time.Duration) float64 { return plotBottom - s.at(d)*(plotBottom-plotTop) }
	for _, t := range s.ticks() {
		p.Ticks = append(p.Ticks, panelTick{pixel(y(t)), short(t)})
	}
	if len(a.Marks) < a.Requests {
		p.Sampled = fmt.Sprintf("%d of %d calls drawn, at even distances", len(a.Marks), a.Requests)
	}
	for _, m := range a.Marks {
		p.Marks = append(p.Marks, panelMark{
			Shape: shape(m.Outcome), X: percent(m.x(a)), Y: pixel(y(m.Took)), Text: m.text(), Broken: m.Fault != "",
		})
	}
	// What is rarer and worse is drawn last, on top.
	slices.SortStableFunc(p.Marks, func(a, b panelMark) int { return depth(a.Shape) - depth(b.Shape) })
	var most int64 = 1
	for _, b := range a.Latency.Bars {
		most = max(most, b.Count)
	}
	for _, b := range a.Latency.Bars {
		p.Bars = append(p.Bars, panelBar{
			Y: pixel(y(b.To)), Height: pixel(max(1.5, y(b.From)-y(b.To)-1)),
			Width: percent(0.02 + 0.98*float64(b.Count)/float64(most)),
			Text:  fmt.Sprintf("%d from %s to %s", b.Count, short(b.From), short(b.To)),
		})
	}
	for _, r := range receipts {
		if a.Phase == experiment.PhaseFault && r.Fault == a.Fault {
			p.Chain, p.Disagree = r.chain(), r.Why
		}
	}
	return p
}

// x is where a mark is on the time axis of its arm, from 0 to 1, a little off
// the edges so that no mark is cut.
func (m Mark) x(a Arm) float64 {
	return 0.01 + 0.98*min(1, float64(m.At)/float64(max(1, a.Took)))
}

func (m Mark) text() string {
	text := fmt.Sprintf("call %d: %s after %s", m.Index, m.Outcome, short(m.Took))
	if m.Fault != "" {
		text += ", broken by " + m.Fault
	}
	return text
}

// shape is the symbol of an outcome.
func shape(outcome string) string {
	switch outcome {
	case oracle.Full, oracle.Degraded:
		return outcome
	default:
		return oracle.Dropped
	}
}

// depth is the order shapes are drawn in.
func depth(shape string) int {
	return slices.Index([]string{oracle.Full, oracle.Degraded, oracle.Dropped}, shape)
}

// title names an arm for people.
func (a Arm) title() string {
	switch a.Phase {
	case experiment.PhaseBefore:
		return "No fault"
	case experiment.PhaseRepeat:
		return "No fault, again"
	case experiment.PhaseAfter:
		return "After the faults"
	default:
		return a.Fault
	}
}

// subtitle says what the arm is for.
func (a Arm) subtitle() string {
	switch a.Phase {
	case experiment.PhaseBefore:
		return "the baseline"
	case experiment.PhaseRepeat:
		return "how much two equal runs differ"
	case experiment.PhaseAfter:
		return "is the system back?"
	default:
		return a.Kind + " at " + a.At
	}
}

// part is a share of a whole, as a bar.
type part struct {
	Name  string
	Count int
	X     string
	Width string
}

// outcomes are the parts of an arm's calls.
func (a Arm) outcomes() []part {
	var out []part
	x := 0.0
	for _, p := range []part{{Name: oracle.Full, Count: a.Full}, {Name: oracle.Degraded, Count: a.Degraded}, {Name: oracle.Dropped, Count: a.Dropped}} {
		p.X, p.Width = percent(x), percent(a.share(p.Count))
		x += a.share(p.Count)
		out = append(out, p)
	}
	return out
}

// chain lines up the counts of a receipt.
func (r Receipt) chain() []chainLink {
	links := []chainLink{
		{"planned", r.Planned, ""}, {"injected", Known(r.Injected), ""},
		{"witnessed", Known(r.Witnessed), ""}, {"calls", r.Calls, ""},
	}
	var out []chainLink
	for _, l := range links {
		if l.Count == Unknown {
			continue
		}
		if len(out) > 0 {
			l.Sign = "="
			if l.Count != out[0].Count {
				l.Sign = "≠"
			}
		}
		out = append(out, l)
	}
	return out
}
