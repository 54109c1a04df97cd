package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/brunt-go/brunt/judge/experiment"
)

// marker is how a bot finds the comment it wrote before, to replace it.
const marker = "<!-- brunt-report -->"

// Markdown writes the report for a pull request's comment, in the dialect of
// GitHub and GitLab. Its first line is an invisible marker.
func (r *Report) Markdown(w io.Writer) error {
	v := r.visible()
	m := &markdown{}
	m.line(marker)
	if v.Kind == KindRun {
		m.run(v, v.Trials[0])
	} else {
		m.calibration(v)
	}
	_, err := io.WriteString(w, m.String())
	return err
}

type markdown struct{ strings.Builder }

func (m *markdown) line(parts ...string) { m.WriteString(strings.Join(parts, "") + "\n") }

func (m *markdown) run(r *Report, t Trial) {
	m.line("### ", sign(t.Verdict), " ", string(t.Verdict), ": ", escape(r.title(t)))
	m.line("\n", escape(t.Why))
	if len(t.Arms) > 0 {
		m.line("\n", t.arms().markdown())
		m.line(escape(t.noise()))
		m.remarks(t)
	}
	m.findings(t)
	m.problems(t)
	if len(t.Receipts) > 0 {
		m.fold("Receipts: the injector's count, and what the wire shows of it", t.receipts().markdown())
	}
	m.services(t)
	m.line("\n<sub>", escape(fmt.Sprintf("seed %d replays this run; %s; brunt %s", r.Seed, t.when(), r.Tool)), "</sub>")
}

func (m *markdown) calibration(r *Report) {
	c := r.Calibration
	mark := sign(experiment.Pass)
	if c.Recommended == nil {
		mark = sign(experiment.Invalid)
	}
	m.line("### ", mark, " ", escape(r.Name), "\n")
	m.line("**", escape(c.Headline), "**\n")
	for _, sentence := range c.Meaning {
		m.line("- ", escape(sentence))
	}
	m.line("\n", r.matrix().markdown())
	if len(c.Scan) > 0 {
		m.line(c.scan().markdown())
		for _, rule := range rules() {
			m.line("- **", rule[0], "**: ", rule[1])
		}
	}
	m.line("\n", strings.TrimRight(r.verdicts().markdown(), "\n"))
	for _, t := range r.Trials {
		m.remarks(t)
		m.problems(t)
		m.services(t)
	}
	m.line("\n<sub>", escape(fmt.Sprintf("seed %d replays this calibration; brunt %s", r.Seed, r.Tool)), "</sub>")
}

func (m *markdown) remarks(t Trial) {
	for _, a := range t.Arms {
		if a.Aborted != "" {
			m.line("\nArm ", escape(a.named()+of(t)), " was ended early: ", escape(a.Aborted))
		}
		if a.Tries > 1 {
			m.line("\nArm ", escape(a.named()+of(t)), " was ", a.again())
		}
	}
}

func (m *markdown) findings(t Trial) {
	for _, f := range t.Findings {
		m.line("\n**", escape(f.Oracle), "** ", escape(where(f)), ": ", escape(f.Message))
		m.line("- got ", escape(f.Got))
		m.line("- want ", escape(f.Want))
		if f.Example != nil {
			m.fold("Example: "+call(f.Example), fence(strings.Join(f.Example.Wire, "\n")))
		}
	}
}

func (m *markdown) problems(t Trial) {
	for _, p := range t.Problems {
		m.line("\n**", string(p.Verdict), "** ", escape(p.where()+of(t)), ": ", escape(p.Message))
	}
}

func (m *markdown) services(t Trial) {
	for _, s := range t.Services {
		if s.Ended != "" {
			m.fold(fmt.Sprintf("Service %s%s at %s: %s", s.Name, of(t), s.Addr, s.Ended), fence(tail(string(s.Output))))
		}
	}
}

// maxOutput is how much of a service's output a comment shows, in bytes: GitHub
// refuses comments above 64 KiB.
const maxOutput = 4 << 10

// tail is the end of a long text, from the start of a line.
func tail(s string) string {
	if len(s) <= maxOutput {
		return s
	}
	s = s[len(s)-maxOutput:]
	return "[...]\n" + s[strings.Index(s, "\n")+1:]
}

// fold hides content, which is Markdown, behind a summary, which is text.
func (m *markdown) fold(summary, content string) {
	m.line("\n<details><summary>", escape(summary), "</summary>\n\n", strings.TrimRight(content, "\n"), "\n\n</details>")
}

// sign tells verdicts apart without colour.
func sign(v experiment.Verdict) string {
	switch v {
	case experiment.Pass:
		return "✅"
	case experiment.Fail:
		return "❌"
	case experiment.Invalid:
		return "⚠️"
	default:
		return "❔"
	}
}

// markdown prints t as a table of GitHub's dialect.
func (t table) markdown() string {
	var b strings.Builder
	for _, c := range t.columns {
		b.WriteString("| " + escape(c.name) + " ")
	}
	b.WriteString("|\n")
	for _, c := range t.columns {
		if c.right {
			b.WriteString("| ---: ")
		} else {
			b.WriteString("| --- ")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.rows {
		for _, c := range row {
			b.WriteString("| " + escape(c.text) + " ")
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// escape makes text stand for itself: no markup, no HTML, no link, and nobody is
// mentioned.
func escape(s string) string {
	return strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "#", `\#`, "|", `\|`, "!", `\!`, "$", `\$`,
		"[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "://", `:\//`, "www.", `www\.`,
		"@", "@<!-- -->",
	).Replace(s)
}

// fence quotes text in a fence longer than any in it.
func fence(s string) string {
	f := "```"
	for strings.Contains(s, f) {
		f += "`"
	}
	return f + "text\n" + strings.TrimRight(s, "\n") + "\n" + f
}
