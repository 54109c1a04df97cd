package statuspage

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/brunt-go/brunt/network/toxic"
)

// field is one to fill in.
type field struct {
	// ID is unique on the page, Name is what it is sent as.
	ID, Name string
	Label    string
	// Hint says what may be typed.
	Hint string
	// Mode is the keyboard a phone shows: "numeric", "decimal", or "text".
	Mode string
	// Words, when there are any, are all that may be chosen.
	Words []string
	// Box says that it is a box to tick.
	Box bool
	// Value is what is in it: "on" in a box that is ticked.
	Value string
	// Problems are what is wrong with it.
	Problems []string
}

// newField is the field for an attribute of a toxic, with what it has.
func newField(form, kind string, a toxic.Attribute, text string) field {
	f := field{
		ID: form + "-" + kind + "-" + a.Name, Name: kind + "." + a.Name,
		Label: strings.ReplaceAll(a.Name, "_", " "), Mode: "text", Value: text,
	}
	switch a.Form {
	case toxic.FormInteger:
		f.Mode, f.Hint = "numeric", bounds(a)
	case toxic.FormNumber:
		f.Mode, f.Hint = "decimal", bounds(a)
	case toxic.FormBool:
		f.Box, f.Value = true, ""
		if text == "true" {
			f.Value = "on"
		}
	case toxic.FormChoice:
		f.Words = a.Words
	case toxic.FormJSON:
		f.Hint = a.Unit
	}
	return f
}

// bounds says what a number may be.
func bounds(a toxic.Attribute) string {
	unit := a.Unit
	if unit != "" {
		unit = " " + unit
	}
	if a.Most == toxic.MaxBytes { // nobody reads its digits
		return strings.TrimSpace(fmt.Sprintf("%s, from %d", a.Unit, a.Least))
	}
	return fmt.Sprintf("%s to %s%s", count(a.Least), count(a.Most), unit)
}

// fill puts into a field what was typed, and what is wrong with it.
func (f *field) fill(typed url.Values, problems []string) {
	f.Value, f.Problems = typed.Get(f.Name), problems
}

// named is the name by which the server speaks of a field.
func (f *field) named() string {
	_, name, attribute := strings.Cut(f.Name, ".")
	if attribute && !strings.HasPrefix(f.Name, "connections.") {
		return name
	}
	return f.Name
}
