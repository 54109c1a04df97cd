package brunttest

import (
	"fmt"
	"runtime/pprof"
	"strings"
)

// label is on every goroutine of an App: a goroutine has the labels of the one that
// started it. So those of an App can be told from those of the test, and of other tests
// that run at the same time.
const label = "brunttest"

// running returns the stacks of the App's goroutines, or "" if there are none.
func (p *Process) running() string {
	var profile strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		return fmt.Sprintf("the profile of goroutines: %v", err)
	}
	var ours []string
	mine := fmt.Sprintf("%q:%q", label, p.id)
	// One paragraph for each stack: how many have it, their labels, its functions.
	for paragraph := range strings.SplitSeq(profile.String(), "\n\n") {
		if strings.Contains(paragraph, mine) {
			ours = append(ours, paragraph)
		}
	}
	return strings.Join(ours, "\n\n")
}
