package statuspage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

// toxicView is a toxic as it is shown.
type toxicView struct {
	control.Toxic

	ID     string
	About  string
	Values []value
	// Which are the connections it is about, in words.
	Which []string
	// Healed says that it has no hits left.
	Healed bool
	Edit   toxicForm
	Remove form
}

// value is an attribute as it is shown.
type value struct{ Name, Text string }

func newToxicView(k key, t control.Toxic, failed *failure) toxicView {
	at := k.path() + "/toxics/" + url.PathEscape(t.Name)
	v := toxicView{
		Toxic:  t,
		ID:     "toxic-" + id(t.Name),
		About:  toxic.About(t.Type),
		Values: values(t),
		Which:  which(t),
		Healed: t.Count > 0 && t.Hits >= t.Count,
		Edit:   newEditForm(at, t, failed),
	}
	v.Remove = form{ID: "remove-" + id(t.Name), Action: at + "/remove", Proxy: t.Name}
	v.Remove.Failed = failed.of(v.Remove.ID)
	return v
}

// texts are all attributes of a toxic as a person types them, and its defaults.
func texts(t control.Toxic) (has, defaults map[string]string) {
	fresh, err := toxic.New(t.Type)
	if err != nil {
		return nil, nil // never: it is there
	}
	usual, err := toxic.Attributes(fresh)
	if err != nil {
		return nil, nil // never: defaults can be written
	}
	defaults = textsOf(usual)
	has = textsOf(usual)
	// What is left out has its default.
	for name, text := range textsOf(t.Attributes) {
		has[name] = text
	}
	return has, defaults
}

func textsOf(attributes []byte) map[string]string {
	var object map[string]json.RawMessage
	if json.Unmarshal(attributes, &object) != nil {
		return nil
	}
	out := make(map[string]string)
	for name, data := range object {
		out[name] = textOf(data)
	}
	return out
}

// textOf is a JSON value as a person types it: without the quotes of a string,
// and nothing for null.
func textOf(data json.RawMessage) string {
	var text string
	switch {
	case bytes.Equal(data, []byte("null")):
		return ""
	case json.Unmarshal(data, &text) == nil:
		return text
	}
	return string(data)
}

// values are the attributes that are not as usual, or the first one if all are.
func values(t control.Toxic) []value {
	it, err := toxic.New(t.Type)
	if err != nil {
		return nil
	}
	has, defaults := texts(t)
	var out []value
	attributes := it.Attributes()
	for _, a := range attributes {
		if has[a.Name] != defaults[a.Name] {
			out = append(out, value{a.Name, inUnit(a, has[a.Name])})
		}
	}
	if len(out) == 0 && len(attributes) > 0 {
		out = append(out, value{attributes[0].Name, inUnit(attributes[0], has[attributes[0].Name])})
	}
	return out
}

// inUnit is a value with its unit.
func inUnit(a toxic.Attribute, text string) string {
	switch {
	case a.Form == toxic.FormBool && text == "true":
		return "yes"
	case a.Form == toxic.FormBool:
		return "no"
	case a.Form == toxic.FormInteger && a.Unit != "":
		return text + space + a.Unit
	}
	return text
}

// which says what connections a toxic hits.
func which(t control.Toxic) []string {
	out := []string{"every connection"}
	if t.Toxicity < 1 {
		out[0] = percent(t.Toxicity) + " of connections"
	}
	if o := t.Connections; o != (toxic.Ordinals{}) {
		if o.First > 1 {
			out = append(out, fmt.Sprintf("from number %d", o.First))
		}
		if o.Last > 0 {
			out = append(out, fmt.Sprintf("to number %d", o.Last))
		}
		if o.Every > 1 {
			out = append(out, fmt.Sprintf("one in %d", o.Every))
		}
	}
	if t.Source.IsValid() {
		out = append(out, "of clients in "+t.Source.String())
	}
	if t.AfterBytes > 0 {
		out = append(out, "after "+size(t.AfterBytes))
	}
	if t.Count > 0 {
		out = append(out, fmt.Sprintf("%d at most", t.Count))
	}
	return out
}

// percent is a share for people.
func percent(share float64) string {
	text := strconv.FormatFloat(100*share, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + space + "%"
}
