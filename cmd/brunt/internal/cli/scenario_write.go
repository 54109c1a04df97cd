package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fault/scenario"
	"github.com/brunt-go/brunt/fit"
)

// scenarioWriting is what scenario write was asked for.
type scenarioWriting struct {
	key, file, rest string
	rules           []string
	curl, json      bool
}

func (a *app) scenarioWriteCommand() *cobra.Command {
	var w scenarioWriting
	c := &cobra.Command{
		Use:   "write --key KEY {--rule RULE... | --file FILE | < FILE}",
		Short: "Print the value of a baggage header that carries a scenario",
		Long: `Prints the value of a baggage header that carries a scenario: rules in words, or a
file of JSON. The first rule that matches a visit to a point decides, so the order
of the rules counts. A rule in words is

  ` + strings.ReplaceAll(scenario.Words, "] [attempts", "]\n        [attempts") + `

A point is a name, a prefix and *, or *. An HTTP client's is http:<host>:<port>,
always with the port. A point alone is a rule that spares it. In JSON a rule is
  {"rules": [{"point": "http:payments:8443", "delay_ms": 250, "abort": true}]}
A scenario without rules breaks nothing, and the trace names every point it passed.

A point that looks misspelt is said on stderr. It fails, with status 64, rather than
print a header of which a service would get a part: OpenTelemetry drops what is too
long, too much or misspelt in silence.`,
		Example: `  curl -H "baggage: $(brunt scenario write --key acme.fault --rule 'http:payments:8443 abort')" localhost:8080
  brunt scenario write --key acme.fault --rule 'http:payments:8443 attempts=1-2 reply=503' --rule '* delay=250ms' --curl
  brunt scenario write --key acme.fault --file scenario.json --rest tenant=acme
  echo '{"rules": []}' | brunt scenario write --key acme.fault
  brunt scenario write --rule 'kafka:* lost share=5% seed=7' --json > scenario.json`,
		Args:              noRuleArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			text, err := w.write(c)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(a.stdout, text); err != nil {
				return &statusError{exitOutput, err}
			}
			return nil
		},
	}
	keyFlag(c, &w.key)
	c.Flags().StringArrayVar(&w.rules, "rule", nil, "a `RULE` in words; give it again for more, in order")
	c.Flags().StringVar(&w.file, "file", "", "read the scenario as JSON from `FILE`, or - for stdin, which is where it is read from without --rule")
	c.Flags().StringVar(&w.rest, "rest", "", "a baggage header's value, whose `MEMBERS` the request carries too")
	c.Flags().BoolVar(&w.curl, "curl", false, "print an argument to paste behind curl: -H 'baggage: ...'")
	c.Flags().BoolVar(&w.json, "json", false, "print the scenario itself, as the JSON that --file reads; needs no --key")
	noCompletion(c, "rule", "rest")
	_ = c.MarkFlagFilename("file", "json") // it is there
	return c
}

// noRuleArgs takes no argument, and says where one belongs.
func noRuleArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("argument %q, want each rule as one word after --rule, in quotes", args[0])
	}
	return nil
}

// write returns what is to be printed.
func (w *scenarioWriting) write(c *cobra.Command) (string, error) {
	if w.json && (w.curl || w.rest != "") {
		return "", usage(errors.New("--json prints no header, want it without --curl and --rest"))
	}
	s, err := w.scenario(c)
	if err != nil {
		return "", err
	}
	for _, hint := range hints(s) {
		fmt.Fprintln(c.ErrOrStderr(), hint)
	}
	if w.json {
		text, err := jsonscenario.Format(s)
		if err != nil {
			return "", usage(err)
		}
		return text, nil
	}
	codec, err := codecOf(w.key)
	if err != nil {
		return "", err
	}
	value, err := scenario.Header(codec, s, w.rest)
	if err != nil {
		return "", usage(err)
	}
	if w.curl {
		return "-H '" + strings.ReplaceAll("baggage: "+value, "'", `'\''`) + "'", nil
	}
	return value, nil
}

// scenario is the one that the flags or a file describe.
func (w *scenarioWriting) scenario(c *cobra.Command) (fit.Scenario, error) {
	switch {
	case len(w.rules) > 0 && w.file != "":
		return fit.Scenario{}, usage(errors.New("--rule and --file, want one of them"))
	case len(w.rules) > 0:
		return parseRules(w.rules)
	case w.file == "":
		w.file = "-"
	}
	text, name, err := input(c.InOrStdin(), w.file)
	if err != nil {
		return fit.Scenario{}, err
	}
	if text == "" {
		return fit.Scenario{}, usage(fmt.Errorf(`no scenario: %s is empty, want --rule, --file or JSON on stdin; {"rules": []} has no rules`, name))
	}
	s, err := jsonscenario.Parse(text)
	if err != nil {
		return s, usage(fmt.Errorf("%s: %w", name, err))
	}
	return s, nil
}

// parseRules reads rules in words, and says what is wrong with each.
func parseRules(texts []string) (fit.Scenario, error) {
	var s fit.Scenario
	var problems []error
	for i, text := range texts {
		r, err := scenario.ParseRule(text)
		if err != nil {
			problems = append(problems, fmt.Errorf("rules[%d]: %w", i, err))
		}
		s.Rules = append(s.Rules, r)
	}
	if len(problems) > 0 {
		return s, usage(errors.Join(problems...))
	}
	return s, nil
}
