package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/brunt-go/brunt/fit"
)

// hostAndPort is a point that somebody may have taken for an HTTP client's.
var hostAndPort = regexp.MustCompile(`^[\w.-]+:\d+$`)

// hints are what is likely wrong with the points of a scenario, a line each. A rule for a
// point that nothing passes breaks nothing, and looks like a service that bears it.
func hints(s fit.Scenario) (all []string) {
	for i, r := range s.Rules {
		address, isHTTP := strings.CutPrefix(r.Point, "http:")
		switch {
		case strings.HasSuffix(r.Point, "*"):
		case isHTTP && !hostAndPort.MatchString(address) && !strings.HasPrefix(address, "["):
			all = append(all, fmt.Sprintf("rules[%d]: %q has no port, and every HTTP client's point has: http:<host>:<port>", i, r.Point))
		case !isHTTP && hostAndPort.MatchString(r.Point):
			all = append(all, fmt.Sprintf("rules[%d]: %q is no HTTP client's point, that would be http:%s", i, r.Point, r.Point))
		}
	}
	return all
}
