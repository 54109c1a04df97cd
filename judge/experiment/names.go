package experiment

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// Names are the addresses of an experiment's parts. Texts such as a command's
// arguments refer to them: {{.Services.catalog.Addr}}, {{.Proxies.catalog.URL}}.
type Names struct {
	Services map[string]Endpoint
	Proxies  map[string]Endpoint
}

// Endpoint is where a part listens.
type Endpoint struct {
	// Addr is host:port, Host and Port its parts, URL the address as
	// http://host:port.
	Addr, Host, Port, URL string
}

func endpoint(addr string) Endpoint {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return Endpoint{Addr: addr, URL: "http://" + addr}
	}
	return Endpoint{Addr: addr, Host: host, Port: port, URL: "http://" + addr}
}

// Text is a parsed text that may refer to names.
type text struct{ t *template.Template }

// parseText reads a text. What it refers to is checked when it is expanded.
func parseText(s string) (text, error) {
	t, err := template.New("").Option("missingkey=error").Parse(s)
	if err != nil {
		return text{}, fmt.Errorf("%q: %s", s, plainTemplate(err))
	}
	for _, n := range t.Root.Nodes {
		if !reference(n) {
			return text{}, fmt.Errorf("%q: %s is no reference, want one such as {{.Services.catalog.Addr}}", s, n)
		}
	}
	return text{t}, nil
}

// reference reports whether a piece of a text is plain, or refers to something:
// {{.Services.catalog.Addr}} or, where a name is no identifier,
// {{(index .Services "loan-desk").Addr}}. A template could do more, and a plan is
// no program: {{range 1000000000}} would only keep a run busy.
func reference(n parse.Node) bool {
	switch n := n.(type) {
	case *parse.TextNode, *parse.FieldNode, *parse.StringNode:
		return true
	case *parse.IdentifierNode:
		return n.Ident == "index"
	case *parse.ActionNode:
		return reference(n.Pipe)
	case *parse.ChainNode:
		return reference(n.Node)
	case *parse.PipeNode:
		return len(n.Decl) == 0 && len(n.Cmds) == 1 && !slices.ContainsFunc(n.Cmds[0].Args, func(arg parse.Node) bool { return !reference(arg) })
	}
	return false
}

func (x text) expand(data any) (string, error) {
	var b strings.Builder
	if err := x.t.Execute(&b, data); err != nil {
		return "", fmt.Errorf("%q: %s", x.t.Root.String(), plainTemplate(err))
	}
	return b.String(), nil
}

// expand fills one text in.
func expand(s string, data any) (string, error) {
	x, err := parseText(s)
	if err != nil {
		return "", err
	}
	return x.expand(data)
}

// plainTemplate drops the name and place that text/template puts in front of
// its errors: our texts have no name and one line.
func plainTemplate(err error) string {
	msg := strings.TrimPrefix(err.Error(), "template: ")
	if i := strings.Index(msg, ">: "); i >= 0 {
		return msg[i+3:]
	}
	if strings.HasPrefix(msg, ":") {
		if i := strings.Index(msg, ": "); i >= 0 {
			return msg[i+2:]
		}
	}
	return msg
}

// sampleNames has an endpoint for every part, to check texts before any part
// has an address.
func (e Experiment) sampleNames() Names {
	n := Names{Services: map[string]Endpoint{}, Proxies: map[string]Endpoint{}}
	for _, s := range e.Services {
		n.Services[s.Name] = endpoint("127.0.0.1:1")
	}
	for _, p := range e.Proxies {
		n.Proxies[p.Name] = endpoint("127.0.0.1:1")
	}
	return n
}
