package visible_test

import (
	"testing"

	"github.com/brunt-go/brunt/internal/visible"
)

func TestLine(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, in, want string }{
		{"plain", "loan/loose", "loan/loose"},
		{"any_script", "käse 借書 \U0001F4DA", "käse 借書 \U0001F4DA"},
		{"joiners_stay", "می\u200cخواهم \U0001F469\u200d\U0001F4BB", "می\u200cخواهم \U0001F469\u200d\U0001F4BB"},
		{"line_ends_are_spaces", "a\nb\r\nc\td", "a b  c d"},
		{"escape_sequence", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"bell_null_delete", "\a\x00\x7f", `\x07\x00\x7f`},
		{"c1_control", "\u009b31m", `\u009b31m`},
		{"right_to_left", "\u202eevil\u2066\u200f", `\u202eevil\u2066\u200f`},
		{"invisible", "a\u200bb\ufeffc\u00ad", `a\u200bb\ufeffc\u00ad`},
		{"line_separator", "a\u2028b", `a\u2028b`},
		{"not_utf8", "a\xffb", "a\ufffdb"},
		{"not_xml", "\ufffe\uffff", `\ufffe\uffff`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := visible.Line(row.in); got != row.want {
				t.Errorf("Line(%q) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func TestBlock(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, in, want string }{
		{"line_ends_stay", "a\n\tb\r\nc\n", "a\n\tb\nc\n"},
		{"colours_go", "\x1b[1;31mred\x1b[0m\x1b[m", "red"},
		{"other_sequences_are_spelt", "\x1b[2J\x1b]0;title\a", `\x1b[2J\x1b]0;title\x07`},
		{"return_alone", "50%\r100%", `50%\x0d100%`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := visible.Block(row.in); got != row.want {
				t.Errorf("Block(%q) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}
