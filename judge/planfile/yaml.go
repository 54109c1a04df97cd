package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds of a file. The largest plan anyone writes by hand is far from each; the
// parser's time grows with the square of the tokens, and its stack with the
// depth.
const (
	// MaxSize is the largest file that is read, in bytes.
	MaxSize   = 1 << 20
	maxTokens = 20_000
	maxDepth  = 32
	maxNodes  = 20_000
)

// parseYAML returns the root of the file's one document, and src as positions
// count it. Problems are found in this order, and a later one only when there is
// none before: bytes, tokens, syntax, document, nodes; of nodes all at once.
func parseYAML(file string, data []byte) (root *node, src *source, problems []*Error) {
	fail := func(line, col int, format string, args ...any) (*node, *source, []*Error) {
		return nil, nil, []*Error{{File: file, Line: line, Column: col, Problem: fmt.Sprintf(format, args...)}}
	}
	if len(data) > MaxSize {
		return fail(1, 1, "the file is larger than 1 MiB")
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	if line, col, problem := checkBytes(data); problem != "" {
		return fail(line, col, "%s", problem)
	}
	src = newSource(data)
	tokens, err := tokenize(data)
	if err != nil {
		return fail(1, 1, "%v", err)
	}
	if line, col, problem := checkTokens(tokens); problem != "" {
		line, col = src.clamp(line, col)
		return fail(line, col, "%s", problem)
	}
	parsed, err := parseTokens(tokens)
	if err != nil {
		line, col, problem := syntaxError(err)
		line, col = src.clamp(line, col)
		if src.tabIndents(line) {
			problem = "a tab indents this line, want spaces"
			col = 1
		}
		return fail(line, col, "%s", problem)
	}
	body, line, col, problem := oneDocument(parsed)
	if problem != "" {
		line, col = src.clamp(line, col)
		return fail(line, col, "%s", problem)
	}
	c := &converter{file: file, src: src, anchors: map[string]*node{}}
	root = c.convert("", body, 0)
	if c.bombed {
		return nil, src, c.problems[:1]
	}
	if len(c.problems) == 0 && root.kind != mapping {
		return fail(root.line, root.col, "%v, want a mapping that starts with `version: 1`", root)
	}
	return root, src, c.problems
}

// checkBytes finds what no YAML file may contain.
func checkBytes(data []byte) (line, col int, problem string) {
	line, col = 1, 1
	for rest := data; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && n == 1:
			return line, col, fmt.Sprintf("byte 0x%02x is not UTF-8", rest[0])
		case r == '\r':
			return line, col, "a carriage return without a line feed"
		case r != '\n' && r != '\t' && unicode.IsControl(r), r == '\ufeff', r == '\u2028', r == '\u2029':
			return line, col, fmt.Sprintf("the control character %U, want text (in double quotes it may be written as \"\\u%04x\")", r, r)
		case r == '\n':
			line, col = line+1, 0
		}
		col++
		rest = rest[n:]
	}
	return 0, 0, ""
}

// parseTokens builds the tree. Like the lexer, the parser may panic.
func parseTokens(tokens token.Tokens) (file *ast.File, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errors.New("this is not YAML")
		}
	}()
	// Keys that come twice are reported with all else, by the converter.
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// syntaxError is what the parser says, and where.
func syntaxError(err error) (line, col int, problem string) {
	var syntax yaml.Error
	if !errors.As(err, &syntax) {
		return 1, 1, err.Error()
	}
	problem = "YAML: " + syntax.GetMessage()
	if t := syntax.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line, t.Position.Column, problem
	}
	return 1, 1, problem
}

// oneDocument returns the body of the file's only document.
func oneDocument(f *ast.File) (body ast.Node, line, col int, problem string) {
	for _, doc := range f.Docs {
		if doc.Body == nil {
			continue
		}
		if _, ok := doc.Body.(*ast.DirectiveNode); ok {
			continue
		}
		if body == nil {
			body = doc.Body
			continue
		}
		at := doc.Body.GetToken()
		if doc.Start != nil {
			at = doc.Start
		}
		return nil, at.Position.Line, at.Position.Column, "a second document starts here, want one experiment a file"
	}
	if body == nil {
		return nil, 1, 1, "the file is empty, want an experiment that starts with `version: 1`"
	}
	return body, 0, 0, ""
}
