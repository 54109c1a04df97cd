package planfile

import (
	"strings"
	"testing"
)

// In whatever style a text is written, each of its characters is found where it
// stands. The file of each row holds one text under the key a; the ^ in mark is
// below the character looked for.
func TestSource_locate(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, in  string
		find      string
		line, col int
	}{
		{"plain", "a: one two x", "x", 1, 12},
		{"plain_wide", "a: öne twö x", "x", 1, 12},
		{"plain_lines", "a: one\n  two\n  x y", "x", 3, 3},
		{"plain_folded_space", "a: one\n  two", " ", 1, 7},
		{"plain_blank_line", "a: one\n\n  x", "x", 3, 3},
		{"plain_trailing_space", "a: one x   ", "x", 1, 8},
		{"plain_trailing_spaces_in_lines", "a: one  \n   x  ", "x", 2, 4},
		{"single", "a: 'one x'", "x", 1, 9},
		{"single_escape", "a: 'it''s x'", "x", 1, 11},
		{"single_the_escape", "a: 'it''s'", "'", 1, 7},
		{"single_lines", "a: 'one\n   x'", "x", 2, 4},
		{"double", `a: "one x"`, "x", 1, 9},
		{"double_escape", `a: "\"one\" x"`, "x", 1, 13},
		{"double_the_escape", `a: "one\tx"`, "\t", 1, 8},
		{"double_short_hex", `a: "\x41 x"`, "x", 1, 10},
		{"double_long_hex", `a: "\u00e9\U0001F600 x"`, "x", 1, 22},
		{"double_joined_lines", "a: \"one\\\n   x\"", "x", 2, 4},
		{"double_escaped_space", "a: \"one\\ x\"", "x", 1, 10},
		{"literal", "a: |\n  one\n  x", "x", 3, 3},
		{"literal_indented", "a: |\n  one\n    x", "x", 3, 5},
		{"literal_line_end", "a: |\n  one\n  x", "\n", 2, 6},
		{"literal_blank_line", "a: |\n  one\n\n  x\n", "x", 4, 3},
		{"literal_stripped", "a: |-\n  one x\n\n", "x", 2, 7},
		{"literal_comment", "a: | # why\n  x", "x", 2, 3},
		{"literal_indicator", "a: |1\n   x", "x", 2, 4},
		{"folded", "a: >\n  one\n  two\n  x", "x", 4, 3},
		{"folded_space", "a: >-\n  one\n  two", " ", 2, 6},
		{"folded_indented", "a: >\n  one\n    x\n  two", "x", 3, 5},
		{"in_braces", "{a: one x}", "x", 1, 9},
		{"behind_an_anchor", "a: &b 'one x'", "x", 1, 12},
		{"next_line", "a:\n  one x", "x", 2, 7},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			root, src, problems := parseYAML("plan.yaml", []byte(row.in))
			if len(problems) > 0 {
				t.Fatal(sorted(problems))
			}
			n := root.pairs[0].value
			before, _, ok := strings.Cut(n.text, row.find)
			if !ok {
				t.Fatalf("%q is not in %q", row.find, n.text)
			}
			if line, col := src.locate(n, len([]rune(before))); line != row.line || col != row.col {
				t.Errorf("locate(%q in %q) = %d:%d, want %d:%d", row.find, n.text, line, col, row.line, row.col)
			}
		})
	}
}

func TestSource_locateEnds(t *testing.T) {
	t.Parallel()
	root, src, problems := parseYAML("plan.yaml", []byte("a: one\nb: \"x\"\nc: ''\n"))
	if len(problems) > 0 {
		t.Fatal(sorted(problems))
	}
	for i, want := range [][2]int{{1, 7}, {2, 6}, {3, 5}} {
		n := root.pairs[i].value
		if line, col := src.locate(n, len(n.text)); [2]int{line, col} != want {
			t.Errorf("locate(end of %q) = %d:%d, want %v", n.text, line, col, want)
		}
	}
	// A place the text does not have is where it starts.
	if line, col := src.locate(root.pairs[1].value, 99); line != 2 || col != 4 {
		t.Errorf("locate(99) = %d:%d, want 2:4", line, col)
	}
	// So is every place of a text the file does not have.
	if line, col := src.locate(&node{kind: text, text: "one", line: 2, col: 4}, 1); line != 2 || col != 4 {
		t.Errorf("locate(no such text) = %d:%d, want 2:4", line, col)
	}
}

func TestSource_clamp(t *testing.T) {
	t.Parallel()
	src := newSource([]byte("ab\nc"))
	for in, want := range map[[2]int][2]int{
		{1, 1}: {1, 1}, {1, 3}: {1, 3}, {1, 4}: {1, 3}, {2, 9}: {2, 2}, {0, 0}: {1, 1}, {7, 1}: {2, 1}, {-1, -5}: {1, 1},
	} {
		if line, col := src.clamp(in[0], in[1]); line != want[0] || col != want[1] {
			t.Errorf("clamp(%v) = %d:%d, want %v", in, line, col, want)
		}
	}
}
