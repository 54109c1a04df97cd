package docstest

import (
	"regexp"
	"slices"
	"strings"
)

// Plan is an experiment file as a page has it.
type Plan struct {
	Block
	// Whole is the text of the whole file: the block's own or, where that only
	// says what changes, the file it changes with the changes made.
	Whole string
}

// planKeys are the keys an experiment file may have.
func planKeys() []string {
	return []string{"version", "name", "services", "proxies", "load", "outcomes", "plan", "faults", "limits", "verdict", "variants"}
}

// Plans are the experiment files of the page, in order. base is what a change
// changes as long as the page has no whole file.
func (p Page) Plans(base string) []Plan {
	var plans []Plan
	for _, b := range p.Blocks() {
		parts := sections(b.Text)
		if b.Lang != "yaml" || len(parts) == 0 || slices.ContainsFunc(parts, func(s section) bool { return !slices.Contains(planKeys(), s.key) }) {
			continue
		}
		if parts[0].key == "version" {
			base = b.Text
		} else {
			base = change(base, parts)
		}
		plans = append(plans, Plan{b, base})
	}
	return plans
}

// section is a key of an experiment file with all that belongs to it.
type section struct{ key, text string }

var key = regexp.MustCompile(`^([a-zA-Z_][\w.-]*):`)

// sections cuts a file of YAML at its outermost keys.
func sections(text string) []section {
	var out []section
	for line := range strings.Lines(text) {
		if m := key.FindStringSubmatch(line); m != nil {
			out = append(out, section{key: m[1]})
		}
		if len(out) > 0 {
			out[len(out)-1].text += line
		}
	}
	return out
}

// change puts parts into a file in place of those with the same keys; new ones
// come last.
func change(file string, parts []section) string {
	all := sections(file)
	for _, part := range parts {
		at := slices.IndexFunc(all, func(s section) bool { return s.key == part.key })
		if at < 0 {
			all = append(all, part)
			continue
		}
		all[at] = part
	}
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.text)
	}
	return b.String()
}
