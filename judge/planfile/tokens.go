package planfile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// tokenize splits a file. A panic of the lexer is its word for a file it
// cannot read.
func tokenize(data []byte) (tokens token.Tokens, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = errors.New("this is not YAML")
		}
	}()
	return joinColons(lexer.Tokenize(string(data))), nil
}

// joinColons puts words such as http://127.0.0.1:9001 together again where the
// lexer took a colon inside one for a mapping: in a list in braces,
// {exec: [catalog, --listen=127.0.0.1:9001]}. In YAML 1.2 a colon that ends a
// plain key has white space behind it.
func joinColons(tokens token.Tokens) token.Tokens {
	var (
		out  token.Tokens
		open []token.Type // the flow collections around a token
	)
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			open = append(open, t.Type)
		case token.SequenceEndType, token.MappingEndType:
			open = open[:max(0, len(open)-1)]
		case token.MappingValueType:
			inList := len(open) > 1 && open[len(open)-1] == token.SequenceStartType
			if inList && len(out) > 0 && i+1 < len(tokens) {
				if word := glued(out[len(out)-1], t, tokens[i+1]); word != nil {
					out[len(out)-1] = word
					i++
					continue
				}
			}
		default: // the rest stays as it is
		}
		out = append(out, t)
	}
	for i, t := range out {
		t.Prev, t.Next = nil, nil
		if i > 0 {
			t.Prev, out[i-1].Next = out[i-1], t
		}
	}
	return out
}

// glued is the word that two plain ones and a colon make when nothing is
// between them, or nil.
func glued(before, colon, after *token.Token) *token.Token {
	for _, t := range []*token.Token{before, after} {
		if t.CharacterType != token.CharacterTypeMiscellaneous || t.Indicator != token.NotIndicator {
			return nil
		}
	}
	if !adjacent(before, colon) || !adjacent(colon, after) {
		return nil
	}
	return token.String(before.Value+":"+after.Value, before.Origin+":"+after.Origin, before.Position)
}

// adjacent reports whether b starts where a, of one line, ends.
func adjacent(a, b *token.Token) bool {
	return a.Position.Line == b.Position.Line && a.Position.Column+len([]rune(a.Value)) == b.Position.Column
}

// checkTokens refuses what would take the parser long or deep.
func checkTokens(tokens token.Tokens) (line, col int, problem string) {
	var (
		count, flow int
		columns     []int // of the open block collections
		properties  int   // anchors and tags in a row
	)
	for _, t := range tokens {
		line, col = t.Position.Line, t.Position.Column
		if t.Type == token.CommentType {
			continue
		}
		if count++; count > maxTokens {
			return line, col, fmt.Sprintf("the file has more than %d words and signs", maxTokens)
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if flow > 0 {
				break
			}
			inner := slices.IndexFunc(columns, func(c int) bool { return c >= col })
			if inner >= 0 {
				columns = columns[:inner]
			}
			columns = append(columns, col)
		default: // opens nothing
		}
		if t.Type == token.AnchorType || t.Type == token.TagType {
			properties++
		} else if t.Type != token.StringType {
			properties = 0
		}
		if flow+len(columns) > maxDepth || properties > maxDepth {
			return line, col, fmt.Sprintf("nested more than %d deep", maxDepth)
		}
	}
	return 0, 0, ""
}
