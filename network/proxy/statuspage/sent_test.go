package statuspage_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// sent is what a browser sends of the form with an action, as it stands on a page:
// names and values in turn.
func sent(t *testing.T, page, action string) []string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var fields []string
	for form := range doc.Descendants() {
		if form.Data != "form" || value(form, "action") != action {
			continue
		}
		for n := range form.Descendants() {
			switch kind := value(n, "type"); {
			case n.Data == "select":
				fields = append(fields, value(n, "name"), chosen(n))
			case n.Data != "input":
			case kind != "checkbox" && kind != "radio":
				fields = append(fields, value(n, "name"), value(n, "value"))
			case has(n, "checked"):
				fields = append(fields, value(n, "name"), max(value(n, "value"), "on"))
			}
		}
	}
	if fields == nil {
		t.Fatalf("no form with action %s", action)
	}
	return fields
}

// chosen is the option of a list that is selected, the first one if none is.
func chosen(list *html.Node) string {
	var first *html.Node
	for n := range list.Descendants() {
		if n.Data != "option" {
			continue
		}
		if has(n, "selected") {
			return n.FirstChild.Data
		}
		if first == nil {
			first = n
		}
	}
	return first.FirstChild.Data
}

func value(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}
