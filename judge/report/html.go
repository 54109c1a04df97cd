package report

import (
	"bytes"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/brunt-go/brunt/judge/experiment"
)

//go:embed web
var web embed.FS

// HTML writes the report as one file that needs nothing else: no script, no
// font, no picture from elsewhere. It follows the reader's light or dark theme,
// prints, and fits a phone.
func (r *Report) HTML(w io.Writer) error {
	t, err := template.New("report").Funcs(template.FuncMap{
		"share": share, "rate": rate, "short": short, "call": call, "where": where, "join": strings.Join, "lower": strings.ToLower,
	}).ParseFS(web, "web/*")
	if err != nil {
		return fmt.Errorf("write report as HTML: %w", err)
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "page.html", newPage(r.visible())); err != nil {
		return fmt.Errorf("write report as HTML: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// page is what the templates show.
type page struct {
	*Report
	// State is the verdict's, in lower case, for the style.
	State string
	Icon  template.URL
	// Kicker stands above the title, Lead below it.
	Kicker, Title, Lead string
	Sections            []section
	Rules               [][2]string
}

// section is a trial.
type section struct {
	Trial
	State, NoiseText string
	Panels           []panel
}

func newPage(r *Report) page {
	p := page{Report: r, Rules: rules()}
	for _, t := range r.Trials {
		p.Sections = append(p.Sections, newSection(t))
	}
	if r.Kind == KindRun {
		t := r.Trials[0]
		p.State, p.Kicker, p.Title, p.Lead = state(t.Verdict), r.title(t), string(t.Verdict), t.Why
	} else {
		c := r.Calibration
		p.Kicker = "Calibration of " + r.Name
		p.State, p.Title, p.Lead = state(experiment.Invalid), "No recommendation", c.Headline
		if rec := c.Recommended; rec != nil {
			p.State, p.Title = state(experiment.Pass), "Rule "+rec.Rule+" at e = "+share(rec.Threshold)
			p.Lead = fmt.Sprintf("It passes %s and fails %s.", list(r.variants(Healthy), "nothing"), list(r.variants(Defective), "nothing"))
		}
	}
	p.Icon = icon(p.State)
	return p
}

func newSection(t Trial) section {
	s := section{Trial: t, State: state(t.Verdict), NoiseText: t.noise()}
	scale := newScale(t.Arms)
	for _, a := range t.Arms {
		s.Panels = append(s.Panels, newPanel(a, scale, t.Receipts))
	}
	return s
}

// Shown are the panels of a calibration's section: its repeated baseline is told
// in words.
func (s section) Shown() []panel {
	var out []panel
	for _, p := range s.Panels {
		if s.Truth == "" || p.Arm.Phase != experiment.PhaseRepeat {
			out = append(out, p)
		}
	}
	return out
}

// Failed are the services that ended before they were told to.
func (s section) Failed() []Service {
	var out []Service
	for _, service := range s.Services {
		if service.Ended != "" {
			out = append(out, service)
		}
	}
	return out
}

// Main are the arms a calibration judges by.
func (s section) Main() []Arm { return s.main() }

// Outcomes are the parts of the arm's calls, for a bar.
func (a Arm) Outcomes() []part { return a.outcomes() }

// Again says that the arm was run more than once, or is "".
func (a Arm) Again() string {
	if a.Tries < 2 {
		return ""
	}
	return "It was " + a.again() + "."
}

// TooFew reports whether fewer calls were degraded than requests broken: the
// figure a drop rate cannot see.
func (a Arm) TooFew() bool { return a.Degraded < a.Injected }

// Best reports whether a row of the scan is the recommended one.
func (p page) Best(row ScanRow) bool {
	rec := p.Calibration.Recommended
	return rec != nil && rec.Rule == row.Rule && rec.Threshold == row.Threshold
}

// Guards are the guards that did not engage.
func (s section) Guards() string { return list(s.guards(), "none") }

// Where is what the problem is about.
func (p Problem) Where() string { return p.where() }

// state is a verdict as the style knows it.
func state(v experiment.Verdict) string { return strings.ToLower(string(v)) }

// icon is the page's icon: the verdict can be read from a row of tabs.
func icon(state string) template.URL {
	colours := map[string]string{"pass": "#1f7a4d", "fail": "#b3261e", "invalid": "#8a5a00"}
	paths := map[string]string{"pass": "M9 16.5l5 5 9-11", "fail": "M10 10l12 12M22 10L10 22", "invalid": "M16 8v10M16 23v1"}
	colour, path := colours[state], paths[state]
	if colour == "" {
		colour, path = "#565b75", "M9 16h14"
	}
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="` + colour +
		`"/><path d="` + path + `" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg)))
}
