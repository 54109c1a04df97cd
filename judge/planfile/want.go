package planfile

import (
	"slices"
	"strings"

	"github.com/brunt-go/brunt/internal/near"
)

// wantOneOf is how an error names what was possible: "want a, b or c", after
// what was probably meant.
func wantOneOf(word string, known []string) string {
	want := "want " + either(known)
	if guess := near.Word(word, known); guess != "" && len(known) > 1 {
		return "did you mean `" + guess + "`? " + want
	}
	return want
}

// either lists alternatives: "a, b or c".
func either(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// sortedKeys are the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
