// Package deptest proves who imports whom. A rule carries its reason, and a
// broken rule fails with it, so that nobody has to guess why an import is
// refused.
package deptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Std in a Rule's Allow stands for the whole standard library.
const Std = "std"

// Rule says what packages may import. A pattern is an import path, or a path
// that ends in "/..." for everything at and below it.
type Rule struct {
	// Packages are the packages the rule is about.
	Packages []string
	// Except are packages of those that the rule leaves alone.
	Except []string
	// Allow, when set, lists the only packages they may import, directly or
	// through others. Std means the standard library.
	Allow []string
	// Forbid lists packages they may not import, directly or through others.
	Forbid []string
	// Why is printed when the rule is broken.
	Why string
}

// Check fails t for each import that breaks a rule, tests' own imports left
// out. dir is the folder of the module, patterns are what `go list` is asked for.
func Check(t *testing.T, dir string, patterns []string, rules []Rule) {
	t.Helper()
	packages, err := list(t.Context(), dir, patterns)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range Problems(packages, rules) {
		t.Error(problem)
	}
}

// Package is what the rules need to know of one package.
type Package struct {
	ImportPath string
	Standard   bool
	Deps       []string
}

// Problems returns one line for each package that reaches what a rule keeps
// from it, and one for each rule that speaks of no package at all.
func Problems(packages []Package, rules []Rule) []string {
	standard := map[string]bool{"C": true, "unsafe": true}
	for _, p := range packages {
		standard[p.ImportPath] = p.Standard
	}
	var problems []string
	for _, rule := range rules {
		used := false
		for _, p := range packages {
			if !matchAny(rule.Packages, p.ImportPath) || matchAny(rule.Except, p.ImportPath) {
				continue
			}
			used = true
			for _, dep := range p.Deps {
				if bad := refused(rule, dep, standard[dep]); bad {
					problems = append(problems, fmt.Sprintf("%s reaches %s: %s", p.ImportPath, dep, rule.Why))
				}
			}
		}
		if !used {
			problems = append(problems, fmt.Sprintf("no package matches %v: remove the rule, or mend its pattern", rule.Packages))
		}
	}
	return problems
}

func refused(rule Rule, dep string, standard bool) bool {
	if matchAny(rule.Forbid, dep) {
		return true
	}
	if rule.Allow == nil || matchAny(rule.Allow, dep) {
		return false
	}
	return !standard || !slices.Contains(rule.Allow, Std)
}

func matchAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
			return path == prefix || strings.HasPrefix(path, prefix+"/")
		}
		return path == pattern
	})
}

func list(ctx context.Context, dir string, patterns []string) ([]Package, error) {
	args := append([]string{"list", "-deps", "-json=ImportPath,Standard,Deps"}, patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w: %s", dir, err, stderr.String())
	}
	var packages []Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p Package
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("read go list: %w", err)
		}
		packages = append(packages, p)
	}
}
