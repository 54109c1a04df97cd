package report

import (
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, in, want string }{
		{"plain", "45 of 200, 5% (e)", "45 of 200, 5% (e)"},
		{"emphasis", "*a* _b_ ~c~", `\*a\* \_b\_ \~c\~`},
		{"code", "`x`", "\\`x\\`"},
		{"table", "a|b", `a\|b`},
		{"html", "<b>&amp;</b>", "&lt;b&gt;&amp;amp;&lt;/b&gt;"},
		{"link", "[x](http://y) www.z", `\[x\](http:\//y) www\.z`},
		{"mention", "@team", "@<!-- -->team"},
		{"escaped_already", `\<`, `\\&lt;`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := escape(row.in); got != row.want {
				t.Errorf("escape(%q) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func TestFence(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, in, want string }{
		{"plain", "a\nb\n", "```text\na\nb\n```"},
		{"longer_than_any_inside", "````\nx", "`````text\n````\nx\n`````"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := fence(row.in); got != row.want {
				t.Errorf("fence(%q) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789\n", 1000)
	got := tail(long)
	if len(got) > maxOutput+10 || !strings.HasPrefix(got, "[...]\n0123456789\n") || !strings.HasSuffix(got, "9\n") {
		t.Errorf("tail keeps %d bytes, from %q", len(got), got[:30])
	}
	if got := tail("short"); got != "short" {
		t.Errorf("tail(short) = %q", got)
	}
}
