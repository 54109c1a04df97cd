package statuspage_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// sound fails t unless a page is whole: every tag closed in its turn, every id
// there once, what is referred to there, every control named, and nothing inline
// or from elsewhere.
func sound(t *testing.T, page string) {
	t.Helper()
	ids, labelled := map[string]bool{}, map[string]bool{}
	var all []html.Token
	tags(t, page, func(token html.Token) {
		all = append(all, token)
		if id := attr(token, "id"); id != "" {
			if ids[id] {
				t.Errorf("id %q is there twice", id)
			}
			ids[id] = true
		}
		if token.Data == "label" && attr(token, "for") != "" {
			labelled[attr(token, "for")] = true
		}
	})
	for _, token := range all {
		for _, a := range token.Attr {
			switch a.Key {
			case "for", "aria-describedby", "aria-labelledby":
				for _, id := range strings.Fields(a.Val) {
					if !ids[id] {
						t.Errorf("<%s %s=%q>: nothing has that id", token.Data, a.Key, id)
					}
				}
			case "href", "src", "action", "data-stream":
				if !strings.HasPrefix(a.Val, "/ui") && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "?") {
					t.Errorf("<%s %s=%q> is not of the page", token.Data, a.Key, a.Val)
				}
			case "style":
				t.Errorf("<%s style=%q>", token.Data, a.Val)
			}
			if strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s %s=%q>", token.Data, a.Key, a.Val)
			}
		}
		named := labelled[attr(token, "id")] || slices.Contains([]string{"hidden", "checkbox", "radio"}, attr(token, "type")) // in their label
		if (token.Data == "input" || token.Data == "select") && !named {
			t.Errorf("%s has no label", token)
		}
		if token.Data == "style" || token.Data == "script" && attr(token, "src") == "" {
			t.Errorf("%s is inline", token)
		}
	}
}

func attr(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// tags walks the tags of a page and fails where one is not closed in its turn.
func tags(t *testing.T, page string, visit func(html.Token)) {
	t.Helper()
	void := []string{"meta", "link", "input"}
	var open []string
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) {
				t.Fatal(z.Err())
			}
			if len(open) > 0 {
				t.Errorf("not closed: %v", open)
			}
			return
		case html.StartTagToken:
			token := z.Token()
			visit(token)
			if !slices.Contains(void, token.Data) {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			token := z.Token()
			if n := len(open); n == 0 || open[n-1] != token.Data {
				t.Fatalf("</%s> closes %v", token.Data, open)
			}
			open = open[:len(open)-1]
		default: // text, comments, the doctype
		}
	}
}
