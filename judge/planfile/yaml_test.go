package planfile

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// loanText is the published file.
func loanText(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/loan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Files that look different and say the same.
func TestParse_forms(t *testing.T) {
	t.Parallel()
	loan := loanText(t)
	want, err := Parse("loan.yaml", []byte(loan))
	if err != nil {
		t.Fatal(err)
	}
	replace := func(pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(loan, pairs[i]) {
				t.Fatalf("there is no %q", pairs[i])
			}
		}
		return strings.NewReplacer(pairs...).Replace(loan)
	}
	for name, text := range map[string]string{
		"windows_lines":    strings.ReplaceAll(loan, "\n", "\r\n"),
		"byte_order_mark":  "\ufeff" + loan,
		"document_markers": "---\n" + loan + "...\n",
		"directive":        "%YAML 1.2\n---\n" + loan,
		"no_last_newline":  strings.TrimSuffix(loan, "\n"),
		"many_comments":    strings.Repeat("# nothing\n", 30_000) + loan,
		"share_as_percent": replace("0.20, delay", "20%, delay", "0.20, hang", `"0.2", hang`),
		"folded":           replace("'status == 200'", ">-\n    status\n    == 200"),
		"number_forms":     replace("20260731", "0x13527ab"),
		"anchors":          replace("{at: catalog, share: 0.20, delay: 240ms}", "&d {<<: &w {at: catalog, share: 0.20}, delay: 240ms}", "{at: catalog, share: 0.20, hang: true}", "{<<: [*w, *d], hang: true}", "reply: {status: 503}", "reply: {status: 503}"),
		"quoted_keys":      replace("version: 1", `"version": 1`, "name: loan", "'name': loan"),
		"explicit_key":     replace("name: loan", "? name\n: loan"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := want
			if name == "number_forms" {
				want.Seed = 0x13527ab
			}
			got, err := Parse("loan.yaml", []byte(text))
			if name == "anchors" {
				// A merged delay comes along: the order is the file's.
				var kinds []string
				for _, f := range got.Faults {
					kinds = append(kinds, httpproxy.FaultNames(f.Rule.Faults))
				}
				if want := []string{"delay", "reply", "delay+hang"}; err != nil || !slices.Equal(kinds, want) {
					t.Errorf("Parse: %v, faults %v, want %v", err, kinds, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, sameExperiment); diff != "" {
				t.Errorf("Parse (-want +got):\n%s", diff)
			}
		})
	}
}

// Faults happen in the order they are written in.
func TestParse_faultOrder(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ in, want string }{
		{"{at: catalog, delay: 240ms, reply: {status: 503}}", "delay+reply"},
		{"{at: catalog, reply: {status: 503}, delay: 240ms}", "reply+delay"},
		{"{truncate: true, delay: 1ms, at: catalog, lost: true}", "truncate+delay+lost"},
	} {
		text := strings.Replace(loanText(t), "{at: catalog, share: 0.20, delay: 240ms}", row.in, 1)
		e, err := Parse("loan.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := httpproxy.FaultNames(e.Faults[0].Rule.Faults); got != row.want {
			t.Errorf("%s: %s, want %s", row.in, got, row.want)
		}
		if share := e.Faults[0].Rule.Share; share != 1 {
			t.Errorf("%s: share %v, want 1", row.in, share)
		}
	}
}

// A colon inside a word of a list in braces is part of the word.
func TestParse_colonsInWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"[a:b]":                                 {"a:b"},
		"[a, --catalog=http://127.0.0.1:9100]":  {"a", "--catalog=http://127.0.0.1:9100"},
		"[-p, 127.0.0.1:9001, a:b:c:d, x]":      {"-p", "127.0.0.1:9001", "a:b:c:d", "x"},
		"[a:b c, 12:30, 1:2:3]":                 {"a:b c", "12:30", "1:2:3"},
		"[é:ü, 'a:b', \"c:d\"]":                 {"é:ü", "a:b", "c:d"},
		"[a, # no\n      --catalog=http://h:1]": {"a", "--catalog=http://h:1"},
	} {
		text := strings.Replace(loanText(t), "[brunt, sample, catalog]", in, 1)
		e, err := Parse("loan.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := e.Services[0].Exec; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// The largest files and the most hostile ones are refused in little time.
func TestParse_bounds(t *testing.T) {
	t.Parallel()
	loan := loanText(t)
	rows := []struct{ name, in, want string }{
		{"size", loan + strings.Repeat("#", MaxSize), "plan.yaml:1:1: the file is larger than 1 MiB"},
		{"words", loan + "x: [" + strings.Repeat("a,", maxTokens/2) + "]", "plan.yaml:30:19753: the file has more than 20000 words and signs"},
		{"keys", strings.Repeat("a: 1\n", 20_000), "plan.yaml:6667:4: the file has more than 20000 words and signs"},
		{"brackets", strings.Repeat("[", 200_000), "plan.yaml:1:33: nested more than 32 deep"},
		{"braces", strings.Repeat("{", 200_000), "plan.yaml:1:33: nested more than 32 deep"},
		{"pairs", strings.Repeat("{a: ", 1000), "plan.yaml:1:129: nested more than 32 deep"},
		{"dashes", strings.Repeat("- ", 50_000), "plan.yaml:1:65: nested more than 32 deep"},
		{"questions", strings.Repeat("? ", 50_000), "plan.yaml:1:65: nested more than 32 deep"},
		{"anchors", "a: " + strings.Repeat("&x ", 50_000), "plan.yaml:1:100: nested more than 32 deep"},
		{"tags", "a: " + strings.Repeat("!x ", 50_000), "plan.yaml:1:68: nested more than 32 deep"},
		{"one_line", strings.Repeat("x", MaxSize), "plan.yaml:1:1: \"" + strings.Repeat("x", 60) + "…\", want a mapping that starts with `version: 1`"},
		{"expression", strings.Replace(loan, "status == 200 &&", strings.Repeat("status == 200 && ", 300), 1), "plan.yaml:13:9: outcomes.full: has 5122 characters, want at most 4096"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			_, err := Parse("plan.yaml", []byte(row.in))
			if got := fmt.Sprint(err); got != row.want {
				t.Errorf("Parse = %.300s, want %s", got, row.want)
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("Parse took %v", took)
			}
		})
	}
}

// What is just inside the bounds is read.
func TestParse_justInside(t *testing.T) {
	t.Parallel()
	loan := loanText(t)
	word := strings.Repeat("a, ", maxTokens/2-500)
	text := strings.Replace(loan, "[brunt, sample, catalog]", "["+word+"z]", 1)
	e, err := Parse("plan.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(e.Services[0].Exec); n != maxTokens/2-499 {
		t.Errorf("%d words, want %d", n, maxTokens/2-499)
	}
}
