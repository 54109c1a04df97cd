package statuspage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

// typed reads what was typed into a form, and collects what can't be read. What
// can is judged by the server.
type typed struct {
	url.Values

	problems []string
}

func (t *typed) problem(name, format string, args ...any) {
	t.problems = append(t.problems, name+": "+fmt.Sprintf(format, args...))
}

// err is what can't be read, nil if all can.
func (t *typed) err() error {
	if len(t.problems) == 0 {
		return nil
	}
	return &control.Error{Message: strings.Join(t.problems, "\n"), Status: http.StatusBadRequest}
}

// text is a field without the spaces around what was typed.
func (t *typed) text(name string) string { return strings.TrimSpace(t.Get(name)) }

// integer is a field, 0 if it is empty.
func (t *typed) integer(name string) int64 {
	text := t.text(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 && strings.HasPrefix(name, "connections.") {
		t.problem(name, "%q, want an integer from 0", text)
	}
	return n
}

// toxicity is the field of that name, 1 if it is empty.
func (t *typed) toxicity() float64 {
	text := t.text("toxicity")
	if text == "" {
		return 1
	}
	share, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.problem("toxicity", "%q, want a number from 0 to 1", text)
	}
	return share
}

// lease is the field of that name.
func (t *typed) lease() control.Length {
	text := t.text("lease")
	if text == "" {
		return 0
	}
	var length control.Length
	data, _ := json.Marshal(text) // never fails for a string
	if err := json.Unmarshal(data, &length); err != nil {
		t.problems = append(t.problems, err.Error())
	}
	return length
}

func (t *typed) selection() toxic.Selection {
	s := toxic.Selection{
		Connections: toxic.Ordinals{
			First: uint64(t.integer("connections.first")), Last: uint64(t.integer("connections.last")), Every: uint64(t.integer("connections.every")),
		},
		AfterBytes: t.integer("after_bytes"),
		Count:      t.integer("count"),
	}
	if text := t.text("source"); text != "" {
		source, err := netip.ParsePrefix(text)
		if err != nil {
			t.problem("source", "%q, want a network such as 10.0.0.0/8", text)
		}
		s.Source = source
	}
	return s
}

// attributes are those of a type as a JSON object. What is empty has its default.
func (t *typed) attributes(kind string) json.RawMessage {
	it, err := toxic.New(kind)
	if err != nil {
		return nil // the server says so
	}
	usual, err := toxic.Attributes(it)
	object := make(map[string]json.RawMessage)
	if err != nil || json.Unmarshal(usual, &object) != nil {
		return nil // never: defaults can be written
	}
	for _, a := range it.Attributes() {
		name := kind + "." + a.Name
		if text := t.text(name); text != "" || a.Form == toxic.FormBool {
			object[a.Name] = t.value(a, text)
		}
	}
	data, _ := json.Marshal(object) // never fails: it is all JSON
	return data
}

// value is what was typed as JSON. What is none of the attribute's form is sent as
// a text, for the server to name the attribute and what it wants.
func (t *typed) value(a toxic.Attribute, text string) json.RawMessage {
	switch a.Form {
	case toxic.FormBool:
		return json.RawMessage(strconv.FormatBool(text == "on"))
	case toxic.FormJSON:
		if !json.Valid([]byte(text)) {
			t.problem(a.Name, "%.100q, want %s", text, a.Unit)
			return json.RawMessage("null")
		}
		return json.RawMessage(text)
	case toxic.FormInteger, toxic.FormNumber:
		if json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	default:
	}
	data, _ := json.Marshal(text) // never fails for a string
	return data
}
