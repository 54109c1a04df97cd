package planfile

import (
	"fmt"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// addresses are what any text may refer to.
func addresses() []string { return []string{"Services", "Proxies"} }

// callNames are what a text of a call may refer to.
func callNames() []string { return append(addresses(), "Index", "Trace") }

func (r *reader) addressWords(p part) []string {
	var words []string
	for _, item := range p.items() {
		words = append(words, r.refers(item, addresses()))
	}
	return words
}

func (r *reader) addressTexts(p part) map[string]string {
	texts := map[string]string{}
	r.keyed(p, variableName, func(name string, p part) { texts[name] = r.refers(p, addresses()) })
	return texts
}

// refers reads a text that may refer to addresses, and checks what it refers to.
// A text with a mistake comes out empty, for nobody to fill in.
//
// Of the template language just this much is allowed: a loop could run for
// ever.
func (r *reader) refers(p part, names []string) string {
	s := p.node.text
	if !strings.Contains(s, "{{") {
		return s
	}
	wrong := func(at int, problem string) {
		at = max(0, strings.LastIndex(s[:min(at+len("{{"), len(s))], "{{"))
		line, col := r.src.locate(p.node, len([]rune(s[:at])))
		r.problem(line, col, p.path, problem)
	}
	t, err := template.New("").Parse(s)
	if err != nil {
		wrong(firstBad(s), fmt.Sprintf("%v: %s", p.node, plainTemplate(err)))
		return ""
	}
	ok := true
	for _, n := range t.Root.Nodes {
		if at, problem := r.reference(n, names); problem != "" {
			wrong(at, problem)
			ok = false
		}
	}
	if !ok {
		return ""
	}
	return s
}

// firstBad is where the first action of a text starts that cannot be parsed.
func firstBad(s string) int {
	at := 0
	for {
		next := strings.Index(s[at:], "{{")
		if next < 0 {
			return 0
		}
		at += next
		end := strings.Index(s[at:], "}}")
		if end < 0 {
			return at
		}
		end += at + len("}}")
		if _, err := template.New("").Parse(s[at:end]); err != nil {
			return at
		}
		at = end
	}
}

// plainTemplate drops the name and line that text/template puts in front of its
// errors.
func plainTemplate(err error) string {
	msg := strings.TrimPrefix(err.Error(), "template: :")
	if _, rest, ok := strings.Cut(msg, ": "); ok {
		return rest
	}
	return msg
}

// reference checks one node of a text: it says what is wrong with it, and at or
// behind the start of which action, in bytes.
func (r *reader) reference(n parse.Node, names []string) (at int, problem string) {
	at = int(n.Position())
	want := "want a reference such as {{.Services.NAME.Addr}}"
	if n.Type() == parse.NodeText {
		return at, ""
	}
	action, ok := n.(*parse.ActionNode)
	if !ok || len(action.Pipe.Cmds) != 1 || len(action.Pipe.Decl) > 0 {
		return at, fmt.Sprintf("%s, %s", n, want)
	}
	path, ok := referencePath(action.Pipe.Cmds[0])
	if !ok {
		return at, fmt.Sprintf("%s, %s", n, want)
	}
	return at, r.resolve(path, names)
}

// referencePath is the path a reference takes: {{.Services.catalog.Addr}} or,
// where a name is no identifier, {{(index .Services "loan-desk").Addr}}.
func referencePath(cmd *parse.CommandNode) ([]string, bool) {
	if len(cmd.Args) == 3 {
		fn, isFn := cmd.Args[0].(*parse.IdentifierNode)
		of, isField := cmd.Args[1].(*parse.FieldNode)
		name, isString := cmd.Args[2].(*parse.StringNode)
		if isFn && isField && isString && fn.Ident == "index" {
			return slices.Concat(of.Ident, []string{name.Text}), true
		}
		return nil, false
	}
	if len(cmd.Args) != 1 {
		return nil, false
	}
	switch n := cmd.Args[0].(type) {
	case *parse.FieldNode:
		return n.Ident, true
	case *parse.ChainNode:
		pipe, ok := n.Node.(*parse.PipeNode)
		if !ok || len(pipe.Cmds) != 1 || len(pipe.Decl) > 0 {
			return nil, false
		}
		path, ok := referencePath(pipe.Cmds[0])
		return slices.Concat(path, n.Field), ok
	}
	return nil, false
}

// resolve says what is wrong with the path of a reference, or "".
func (r *reader) resolve(path, names []string) string {
	at := func(n int) string { return "." + strings.Join(path[:n], ".") }
	if !slices.Contains(names, path[0]) {
		return fmt.Sprintf("nothing is named %s here, %s", at(1), wantOneOf(path[0], names))
	}
	if path[0] == "Index" || path[0] == "Trace" {
		if len(path) > 1 {
			return fmt.Sprintf("%s, want %s alone", at(len(path)), at(1))
		}
		return ""
	}
	known := r.services
	if path[0] == "Proxies" {
		known = r.proxies
	}
	switch {
	case len(path) < 2:
		return fmt.Sprintf("%s, want %s.NAME.Addr", at(1), at(1))
	case !known.has(path[1]):
		return known.missing(path[1])
	case len(path) != 3 || !slices.Contains([]string{"Addr", "Host", "Port", "URL"}, path[2]):
		return fmt.Sprintf("%s, want %s.Addr, .Host, .Port or .URL", at(len(path)), at(2))
	}
	return ""
}
