package planfile

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// source is the file's text in lines, to turn offsets into positions.
type source struct{ lines [][]rune }

func newSource(data []byte) *source {
	s := &source{}
	for line := range strings.SplitSeq(string(data), "\n") {
		s.lines = append(s.lines, []rune(line))
	}
	return s
}

// clamp moves a position that lies outside the file to the nearest one inside.
// The one behind a line's last character is inside.
func (s *source) clamp(line, col int) (int, int) {
	line = min(max(line, 1), len(s.lines))
	return line, min(max(col, 1), len(s.lines[line-1])+1)
}

// tabIndents reports whether a tab stands in the white space a line starts with.
func (s *source) tabIndents(line int) bool {
	for _, r := range s.lines[line-1] {
		if r == '\t' {
			return true
		}
		if r != ' ' {
			return false
		}
	}
	return false
}

// start is the column where a plain text starts that the lexer says starts at
// col or, when white space follows the text, left of it.
func (s *source) start(line, col int, text string) int {
	const most = 200
	for c := col; c > max(0, col-most); c-- {
		if s.reads(line, c, text) {
			return c
		}
	}
	return col
}

// reads reports whether the plain text stands at a position.
func (s *source) reads(line, col int, text string) bool {
	w := walker{s: s, line: line, col: col}
	for i, want := range text {
		if i == 0 && w.peek() != want || !w.seek(want) {
			return false
		}
		w.pass()
	}
	return true
}

// locate returns where the character at offset of a text node's text stands in
// the file, in whatever style the text is written: plain, quoted, with escapes,
// over several lines. Where it cannot tell, it is where the text starts.
func (s *source) locate(n *node, offset int) (line, col int) {
	w := walker{s: s, line: n.line, col: n.col}
	w.open()
	at := 0
	for _, want := range n.text {
		if !w.seek(want) {
			return n.line, n.col
		}
		if at == offset {
			return w.line, w.col
		}
		w.pass()
		at++
	}
	if at != offset {
		return n.line, n.col
	}
	return s.clamp(w.line, w.col)
}

// walker walks over the characters of a scalar. What YAML folds, strips and
// indents it need not know in full: it is told each character of the result, and
// skips the white space that did not become one.
type walker struct {
	s         *source
	line, col int
	quote     rune // or 0
	width     int  // of the character it is at
}

// open steps over what stands before the first character.
func (w *walker) open() {
	switch r := w.peek(); r {
	case '\'', '"':
		w.quote = r
		w.col++
	case '|', '>':
		w.line, w.col = w.line+1, 1
	}
}

// peek is the character it is at: '\n' at a line's end, -1 at the file's.
func (w *walker) peek() rune {
	if w.line > len(w.s.lines) {
		return -1
	}
	if line := w.s.lines[w.line-1]; w.col <= len(line) {
		return line[w.col-1]
	}
	if w.line == len(w.s.lines) {
		return -1
	}
	return '\n'
}

// seek goes to the next character that stands for want.
func (w *walker) seek(want rune) bool {
	for {
		r := w.peek()
		w.width = 1
		if w.quote != 0 && r == w.quote || w.quote == '"' && r == '\\' {
			if got, width := w.escape(); got == want {
				w.width = width
				return true
			}
			if r == '\\' && w.col == len(w.s.lines[w.line-1]) { // joins two lines
				w.line, w.col = w.line+1, 1
				continue
			}
			return false
		}
		switch {
		case r == want, r == '\n' && want == ' ':
			return true
		case r == ' ' || r == '\t':
			w.col++
		case r == '\n':
			w.line, w.col = w.line+1, 1
		default:
			return false
		}
	}
}

// pass steps over the character it is at.
func (w *walker) pass() {
	if w.peek() == '\n' {
		w.line, w.col = w.line+1, 1
		return
	}
	w.col += w.width
}

// escape reads the escape it is at: a doubled single quote or, in double quotes,
// one with a backslash. The width is in characters of the file.
func (w *walker) escape() (r rune, width int) {
	rest := string(w.s.lines[w.line-1][w.col-1:])
	if w.quote == '\'' {
		if strings.HasPrefix(rest, "''") {
			return '\'', 2
		}
		return -1, 0
	}
	const simple = `0abtnvfre "/\N_LP` + "\t"
	const means = "\x00\a\b\t\n\v\f\r\x1b \"/\\\u0085\u00a0\u2028\u2029\t"
	if len(rest) < 2 || rest[0] != '\\' {
		return -1, 0
	}
	if i := strings.IndexByte(simple, rest[1]); i >= 0 {
		return []rune(means)[i], 2
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[rest[1]]
	if digits == 0 || len(rest) < 2+digits {
		return -1, 0
	}
	v, err := strconv.ParseUint(rest[2:2+digits], 16, 32)
	if err != nil || v > utf8.MaxRune {
		return -1, 0
	}
	return rune(v), 2 + digits
}
