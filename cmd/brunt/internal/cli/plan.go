package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/planfile"
)

// readPlan reads a plan; "-" is not one, since its services' folders are
// relative to the file.
func readPlan(path string) (experiment.Experiment, error) {
	e, err := planfile.Read(path)
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return e, usage(fmt.Errorf("plan: %w", err))
	}
	if err != nil {
		return e, usage(fmt.Errorf("the plan is wrong:\n%w", err))
	}
	return e, nil
}

// variant returns e in one of its variants, or e itself for "".
func variant(e experiment.Experiment, name string) (experiment.Experiment, error) {
	if name == "" {
		return e, nil
	}
	var names []string
	for _, v := range e.Variants {
		if v.Name == name {
			return e.With(v), nil
		}
		names = append(names, v.Name)
	}
	return e, usage(fmt.Errorf("--variant %q, the plan has %q", name, names))
}

// executable is the program that runs now: what "brunt" means in a plan.
func executable() string {
	path, err := os.Executable()
	if err != nil {
		return "" // "brunt" is then looked up like any other command
	}
	return path
}
