package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fault/scenario"
	"github.com/brunt-go/brunt/fit"
)

func (a *app) scenarioReadCommand() *cobra.Command {
	var (
		key    string
		points []string
		asJSON bool
	)
	c := &cobra.Command{
		Use:   "read --key KEY {HEADER | < FILE} [--point POINT]...",
		Short: "Say what a baggage header does at each point, and what of it is dropped on the way",
		Long: `Reads a baggage header as a service that uses OpenTelemetry does, and says which rule
the visits to each point meet, and which members never arrive. The header is one
argument, or comes on stdin, with "baggage:" before it or without.

A service's longest delay, 10s unless it has another, cuts a delay down to it.

Exit status: 0 when a scenario arrives, 64 when none does or it is rejected.`,
		Example: `  brunt scenario read --key acme.fault 'baggage: acme.fault={%22rules%22:[]},tenant=acme'
  brunt scenario write --key acme.fault --file scenario.json | brunt scenario read --key acme.fault --point http:payments:8443 --point kafka:orders
  brunt scenario read --key acme.fault --json < header.txt | jq .points`,
		Args:              oneHeader,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			codec, err := codecOf(key)
			if err != nil {
				return err
			}
			if slices.Contains(points, "") {
				return usage(errors.New("--point: empty, must name a point, such as http:payments:8443"))
			}
			header, err := headerFrom(c.InOrStdin(), args)
			if err != nil {
				return err
			}
			r := explain(key, scenario.Read(codec, header), points)
			write := r.text
			if asJSON {
				write = r.json
			}
			if err := write(a.stdout); err != nil {
				return &statusError{exitOutput, err}
			}
			if r.Error != "" {
				return usage(errors.New(r.Error))
			}
			return nil
		},
	}
	keyFlag(c, &key)
	c.Flags().StringArrayVar(&points, "point", nil, "a `POINT` to explain; give it again for more (default: those the rules name)")
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	noCompletion(c, "point")
	return c
}

// oneHeader takes the header at most.
func oneHeader(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%d arguments, want one header, in quotes: 'baggage: ...'", len(args))
	}
	return nil
}

// headerFrom is the header in args, or on stdin.
func headerFrom(stdin io.Reader, args []string) (string, error) {
	var header string
	if len(args) == 1 && args[0] != "-" {
		header = strings.TrimSpace(args[0])
	} else if text, _, err := input(stdin, "-"); err == nil {
		header = text
	} else {
		return "", err
	}
	switch n := strings.Count(header, "\n"); {
	case header == "":
		return "", usage(errors.New("no header, want it as an argument in quotes or on stdin: 'baggage: ...'"))
	case n > 0:
		return "", usage(fmt.Errorf("the header has %d lines, want one; several baggage headers are one with commas between them", n+1))
	}
	return header, nil
}

// explanation is what scenario read prints.
type explanation struct {
	key      string
	Scenario json.RawMessage `json:"scenario,omitempty"` // when one arrives
	Error    string          `json:"error,omitempty"`    // why none does
	Rules    int             `json:"-"`
	Points   []pointFate     `json:"points"`
	Members  []memberFate    `json:"members"`
}

type pointFate struct {
	Point  string     `json:"point"`
	Meets  []ruleMeet `json:"meets"`
	Spared bool       `json:"spared"` // are the visits that meet none of these
}

type ruleMeet struct {
	text  string
	Rule  int    `json:"rule"` // its index, from 0
	Fault string `json:"fault"`
	When  string `json:"when,omitempty"`
}

type memberFate struct {
	Key     string `json:"key"`
	Arrives bool   `json:"arrives"`
	Dropped string `json:"dropped,omitempty"` // why
}

// explain says what r, of the member key, does at points.
func explain(key string, r scenario.Reading, points []string) *explanation {
	e := &explanation{key: key, Points: []pointFate{}, Members: []memberFate{}}
	var keys []string
	absent := ""
	for _, m := range r.Members {
		e.Members = append(e.Members, memberFate{m.Key, m.Dropped == "", m.Dropped})
		keys = append(keys, m.Key)
		if m.Key == key {
			absent = fmt.Sprintf("no scenario arrives: member %s is dropped: %s", key, visible(m.Dropped))
		}
	}
	switch {
	case absent != "":
	case len(keys) == 0:
		absent = "no scenario arrives: the header is empty"
	default:
		const some = 8 // are enough to see that it is another header, or another key
		absent = fmt.Sprintf("no scenario arrives: the header has no member %s, but %q; is --key the one your services read?", key, keys[:min(some, len(keys))])
	}
	switch {
	case r.Err != nil:
		e.Error = fmt.Sprintf("the scenario is rejected, and every point spared: %v", r.Err)
		return e
	case !r.Found:
		e.Error = absent
		return e
	}
	text, err := jsonscenario.Format(r.Scenario)
	if err != nil {
		e.Error = err.Error()
		return e
	}
	e.Scenario, e.Rules = json.RawMessage(text), len(r.Scenario.Rules)
	if points == nil {
		points = named(r.Scenario)
	}
	for _, point := range points {
		e.Points = append(e.Points, fateOf(r.Scenario, point))
	}
	return e
}

// named are the points that the rules of s name. A prefix and * stands for a
// point that no other rule names more closely.
func named(s fit.Scenario) (points []string) {
	for _, r := range s.Rules {
		if !slices.Contains(points, r.Point) {
			points = append(points, r.Point)
		}
	}
	return points
}

// fateOf says what visits to point meet.
func fateOf(s fit.Scenario, point string) pointFate {
	p := pointFate{Point: point, Meets: []ruleMeet{}, Spared: true}
	for _, m := range scenario.Explain(s, point) {
		p.Meets = append(p.Meets, ruleMeet{m.String(), m.Index, scenario.Describe(m.Rule.Fault), m.When})
		p.Spared = m.When != ""
	}
	return p
}

// json writes e for programs.
func (e *explanation) json(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(e)
}

// text writes e for people. What is wrong goes to stderr alone.
func (e *explanation) text(w io.Writer) error {
	var lines []string
	switch {
	case e.Error != "":
	case e.Rules == 0:
		lines = append(lines, e.key+" arrives without rules: every point is spared, and named in the trace")
	case e.Rules == 1:
		lines = append(lines, e.key+" arrives with 1 rule")
	default:
		lines = append(lines, fmt.Sprintf("%s arrives with %d rules", e.key, e.Rules))
	}
	for _, p := range e.Points {
		lines = append(lines, p.Point)
		for _, m := range p.Meets {
			lines = append(lines, "  "+m.text)
		}
		switch {
		case len(p.Meets) == 0:
			lines = append(lines, "  spared: no rule is about it")
		case p.Spared:
			lines = append(lines, "  otherwise spared")
		}
	}
	title := "dropped on the way, without a word to the service"
	for _, m := range e.Members {
		if m.Arrives {
			continue
		}
		if title != "" {
			lines, title = append(lines, title), ""
		}
		lines = append(lines, "  "+m.Key+": "+m.Dropped)
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, visible(line)); err != nil {
			return err
		}
	}
	return nil
}
