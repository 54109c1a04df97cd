package cli

import (
	"strings"
	"testing"

	"github.com/brunt-go/brunt/fit"
)

func TestHints(t *testing.T) {
	t.Parallel()
	for point, want := range map[string]string{
		"http:payments:8443":  "",
		"http:[::1]:8443":     "",
		"http:payments*":      "",
		"http:*":              "",
		"*":                   "",
		"kafka:orders":        "",
		"grpc:payments:50051": "",
		"orders.reserve":      "",
		"http:localhost":      `rules[0]: "http:localhost" has no port`,
		"http:payments:https": `rules[0]: "http:payments:https" has no port`,
		"localhost:18443":     `rules[0]: "localhost:18443" is no HTTP client's point, that would be http:localhost:18443`,
	} {
		got := strings.Join(hints(fit.Scenario{Rules: []fit.Rule{{Point: point}}}), "\n")
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", point, got, want)
		}
	}
}
