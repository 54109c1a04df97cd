package scenario_test

import (
	"testing"
	"time"

	"github.com/brunt-go/brunt/fault/scenario"
	"github.com/brunt-go/brunt/fit"
)

func TestParseRule(t *testing.T) {
	t.Parallel()
	rows := []struct {
		in   string
		want fit.Rule
	}{
		{"http:payments:8443 abort", fit.Rule{Point: "http:payments:8443", Fault: fit.Fault{Abort: true}}},
		{"  *   delay=1.5s  abort ", fit.Rule{Point: "*", Fault: fit.Fault{Delay: 1500 * time.Millisecond, Abort: true}}},
		{"kafka:orders", fit.Rule{Point: "kafka:orders"}},
		{"a lost", fit.Rule{Point: "a", Fault: fit.Fault{Lost: true}}},
		{"a reply=503 grpc=14", fit.Rule{Point: "a", Fault: fit.Fault{Reply: fit.Reply{Status: 503, GRPCCode: 14}}}},
		{`a reply=503 body={"error": "abort now"}`, fit.Rule{Point: "a", Fault: fit.Fault{Reply: fit.Reply{Status: 503, Body: `{"error": "abort now"}`}}}},
		{"a attempts=1-2", fit.Rule{Point: "a", Attempts: fit.Attempts{First: 1, Last: 2}}},
		{"a attempts=3-", fit.Rule{Point: "a", Attempts: fit.Attempts{First: 3}}},
		{"a attempts=2", fit.Rule{Point: "a", Attempts: fit.Attempts{First: 2, Last: 2}}},
		{"a share=5% seed=18446744073709551615", fit.Rule{Point: "a", Share: 0.05, Seed: 1<<64 - 1}},
		{"a share=0.5", fit.Rule{Point: "a", Share: 0.5}},
	}
	for _, row := range rows {
		t.Run(row.in, func(t *testing.T) {
			t.Parallel()
			got, err := scenario.ParseRule(row.in)
			if err != nil || got != row.want {
				t.Errorf("ParseRule(%q) = %+v, %v, want %+v", row.in, got, err, row.want)
			}
		})
	}
}

func TestParseRule_refuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                    `rule "": empty, must be ` + scenario.Words,
		"a abrot":             `rule "a abrot": "abrot" is unknown, must be one of ` + scenario.Words,
		"a abort=yes":         `rule "a abort=yes": "abort=yes" is unknown, must be one of ` + scenario.Words,
		"a delay=250":         `rule "a delay=250": delay: "250", must be like 250ms or 1.5s`,
		"a delay":             `rule "a delay": delay: "", must be like 250ms or 1.5s`,
		"a reply=x":           `rule "a reply=x": reply: "x", must be like 503`,
		"a grpc=x":            `rule "a grpc=x": grpc: "x", must be like 14`,
		"a attempts=0-1":      `rule "a attempts=0-1": attempts: "0-1", must be like 1-2, 3- or 2`,
		"a attempts=1-x":      `rule "a attempts=1-x": attempts: "1-x", must be like 1-2, 3- or 2`,
		"a attempts=2-0":      `rule "a attempts=2-0": attempts: "2-0", must be like 1-2, 3- or 2`,
		"a share=0%":          `rule "a share=0%": share: "0%", must be like 5% or 0.05`,
		"a share=x":           `rule "a share=x": share: "x", must be like 5% or 0.05`,
		"a seed=-1":           `rule "a seed=-1": seed: "-1", must be like 7`,
		"a abort abort":       `rule "a abort abort": abort comes twice`,
		"a delay=1s delay=2s": `rule "a delay=1s delay=2s": delay comes twice`,
	} {
		if _, err := scenario.ParseRule(in); err == nil || err.Error() != want {
			t.Errorf("ParseRule(%q) fails with\n%v, want\n%s", in, err, want)
		}
	}
}
