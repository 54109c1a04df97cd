package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/brunt-go/brunt/network/toxic"
)

// nextAttribute is where, in a list with commas, another attribute begins. A comma inside a
// value, as in JSON, has no key and no = behind it.
var nextAttribute = regexp.MustCompile(`,\s*\w+=`)

// parseAttributes is -a KEY=VALUE, each one or several with commas between them,
// as a JSON object. Nothing for none.
func parseAttributes(given []string) (json.RawMessage, error) {
	if len(given) == 0 {
		return nil, nil
	}
	object := make(map[string]json.RawMessage)
	for _, list := range given {
		for more := true; more; {
			one := list
			at := nextAttribute.FindStringIndex(one)
			if more = at != nil; more {
				one, list = one[:at[0]], strings.TrimSpace(one[at[0]+1:])
			}
			key, value, ok := strings.Cut(one, "=")
			if !ok || key == "" {
				return nil, fmt.Errorf("--attribute: %q, want KEY=VALUE such as latency=100", one)
			}
			if object[key] != nil {
				return nil, fmt.Errorf("--attribute: %s comes twice", key)
			}
			object[key] = attributeValue(value)
		}
	}
	return json.Marshal(object)
}

// attributeValue is a value as JSON: a number in any way of writing, JSON as it is,
// or a word.
func attributeValue(text string) json.RawMessage {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return json.RawMessage(strconv.FormatInt(n, 10)) // all of its digits
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
		data, _ := json.Marshal(f) // never fails: it is finite
		return data
	}
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	data, _ := json.Marshal(text) // never fails for a string
	return data
}

// attributeNames are the attributes that toxics of a kind have, nil for a kind
// there is not.
func attributeNames(kind string) []string {
	// Some kinds are none without an attribute.
	for _, needs := range []string{`{}`, `{"average_size":1}`, `{"offsets":[0]}`} {
		t, err := toxic.ParseLax(kind, []byte(needs))
		if err != nil {
			continue
		}
		var names []string
		for _, a := range t.Attributes() {
			names = append(names, a.Name)
		}
		return names
	}
	return nil
}

// kindList is every kind of toxic in a sentence.
func kindList() string { return strings.Join(toxic.Kinds(), ", ") }
