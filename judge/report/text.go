package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
)

// Text writes the report for a terminal. The last lines hold what matters most.
func (r *Report) Text(w io.Writer, s Style) error {
	v := r.visible()
	p := &printer{style: s}
	if v.Kind == KindRun {
		p.run(v, v.Trials[0])
	} else {
		p.calibration(v)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// printer collects the text of a report.
type printer struct {
	strings.Builder
	style Style
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

func (p *printer) heading(text string) { p.printf("\n%s\n", p.style.paint(bold, text)) }

func (p *printer) run(r *Report, t Trial) {
	if len(t.Arms) > 0 {
		p.printf("%s", t.arms().text(p.style))
		p.remarks(t)
		p.printf("\n%s\n", t.noise())
	}
	if len(t.Receipts) > 0 {
		p.heading("Receipts: the injector's count, and what the wire shows of it")
		p.printf("%s", t.receipts().text(p.style))
	}
	p.findings(t)
	p.problems(t)
	p.services(t)
	p.printf("\n%s  %s: %s\n", p.verdict(t), r.title(t), t.Why)
	p.printf("%s\n", p.style.paint(faint, fmt.Sprintf("seed %d replays this run; %s; brunt %s", r.Seed, t.when(), r.Tool)))
}

func (p *printer) calibration(r *Report) {
	p.printf("%s", r.matrix().text(p.style))
	if len(r.Calibration.Scan) > 0 {
		p.printf("\n%s\n", r.Calibration.scan().text(p.style))
		for _, rule := range rules() {
			p.printf("%s: %s\n", rule[0], rule[1])
		}
	}
	p.printf("\n%s", r.verdicts().text(p.style))
	for _, t := range r.Trials {
		p.remarks(t)
		p.problems(t)
		p.services(t)
	}
	c := yellow
	if r.Calibration.Recommended != nil {
		c = green
	}
	p.printf("\n%s  %s\n", p.style.paint(bold, r.Name), p.style.paint(c, r.Calibration.Headline))
	for _, sentence := range r.Calibration.Meaning {
		p.printf("  %s\n", sentence)
	}
	p.printf("%s\n", p.style.paint(faint, fmt.Sprintf("seed %d replays this calibration; brunt %s", r.Seed, r.Tool)))
}

func (p *printer) verdict(t Trial) string {
	return p.style.paint(bold+verdictColour(t.Verdict), string(t.Verdict))
}

// remarks are what the table of arms cannot say.
func (p *printer) remarks(t Trial) {
	for _, a := range t.Arms {
		if a.Aborted != "" {
			p.printf("arm %s%s was ended early: %s\n", a.named(), of(t), a.Aborted)
		}
		if a.Tries > 1 {
			p.printf("arm %s%s was %s\n", a.named(), of(t), a.again())
		}
	}
}

// named tells the arms without a fault apart.
func (a Arm) named() string {
	if a.Phase == experiment.PhaseFault {
		return a.Fault
	}
	return a.Fault + " (" + string(a.Phase) + ")"
}

// again says that an arm was run more than once, and why.
func (a Arm) again() string {
	return fmt.Sprintf("run %d times, for the machine stalled; its longest stall in the last was %s", a.Tries, short(a.Stalled))
}

func (p *printer) findings(t Trial) {
	if len(t.Findings) == 0 {
		return
	}
	p.heading("Findings")
	for i, f := range t.Findings {
		p.printf("%d. %s %s\n", i+1, p.style.paint(red, f.Oracle), where(f))
		p.printf("   %s\n   got  %s\n   want %s\n", f.Message, f.Got, f.Want)
		if f.Example != nil {
			p.printf("   for example %s\n", call(f.Example))
			for _, line := range f.Example.Wire {
				p.printf("     %s\n", line)
			}
		}
	}
}

func (p *printer) problems(t Trial) {
	if len(t.Problems) == 0 {
		return
	}
	p.heading("Problems" + of(t))
	for _, problem := range t.Problems {
		p.printf("%s %s\n", p.style.paint(verdictColour(problem.Verdict), string(problem.Verdict)), problem.where())
		p.printf("   %s\n", problem.Message)
	}
}

func (p *printer) services(t Trial) {
	for _, s := range t.Services {
		if s.Ended == "" {
			continue
		}
		p.heading(fmt.Sprintf("Service %s%s at %s: %s", s.Name, of(t), s.Addr, s.Ended))
		for line := range strings.Lines(string(s.Output)) {
			p.printf("%s\n", strings.TrimRight("  | "+line, " \n"))
		}
	}
}

// of names the variant after something that is said of it, in a calibration.
func of(t Trial) string {
	if t.Truth == "" {
		return ""
	}
	return " of " + t.Variant
}

// where says what a finding is about.
func where(f oracle.Finding) string {
	text := "in " + f.Arm
	if f.Point != "" {
		text += " at " + f.Point
	}
	if f.Guard != "" {
		text += ", guard " + f.Guard
	}
	return text
}

// where says what a problem is about.
func (p Problem) where() string {
	if p.Arm == "" {
		return p.Hop
	}
	return p.Hop + ", in arm " + p.Arm
}

// call describes an example.
func call(e *oracle.Example) string {
	text := fmt.Sprintf("call %d", e.Index)
	if e.Trace != "" {
		text += ", trace " + e.Trace
	}
	text += ": " + e.Outcome + " after " + short(e.Took)
	if e.Status != 0 {
		text += fmt.Sprintf(", status %d", e.Status)
	}
	if e.Fault != "" {
		text += ", broken by " + e.Fault
	}
	return text
}

// when says when a trial ran, and how long.
func (t Trial) when() string {
	return fmt.Sprintf("started %s, took %s", t.Started.UTC().Format("2006-01-02 15:04:05 MST"), short(t.Took))
}
