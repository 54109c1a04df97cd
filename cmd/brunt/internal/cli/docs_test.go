package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/internal/docstest"
	"github.com/brunt-go/brunt/internal/golden"
	"github.com/brunt-go/brunt/judge/planfile"
)

const docsRoot = "../../../.."

func docs(t *testing.T) []docstest.Page {
	t.Helper()
	pages, err := docstest.Pages(docsRoot)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// The reference of the command is its own help.
func TestDocs_reference(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		text := c.Long
		if text == "" {
			text = c.Short
		}
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s\n\n%s```\n", c.CommandPath(), strings.TrimSpace(text), c.UsageString())
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && c.Name() != "completion" {
				visit(sub)
			}
		}
	}
	visit(new(app).root())
	golden.CheckSection(t, docsRoot+"/docs/reference/cli.md", "commands", b.String())
}

// Every command line of the pages is one the command takes.
func TestDocs_commandLines(t *testing.T) {
	t.Parallel()
	begins := regexp.MustCompile(`^ *(?:\$ +|- +(?:run: *)?|run: *)?brunt `)
	found := 0
	for _, p := range docs(t) {
		lines := p.Spans()
		for _, b := range p.Blocks() {
			text := strings.ReplaceAll(b.Text, "\\\n", "")
			for line := range strings.Lines(text) {
				// In a console, what a command prints can begin with brunt too.
				if slices.Contains([]string{"console", "sh", "yaml"}, b.Lang) && (b.Lang != "console" || strings.HasPrefix(line, "$ ")) {
					lines = append(lines, line)
				}
			}
		}
		for _, line := range lines {
			command := begins.FindString(line)
			if command == "" {
				continue
			}
			found++
			if err := takes(shellWords(line[len(command):])); err != nil {
				t.Errorf("%s: %s: %v", p.Path, strings.TrimSpace(line), err)
			}
		}
	}
	if found < 20 {
		t.Errorf("found %d command lines: the pages have more", found)
	}
}

// shellWords are the words of the first command of a line.
func shellWords(line string) (words []string) {
	var word strings.Builder
	var quote rune
	started := false
	end := func() {
		if started {
			words = append(words, word.String())
		}
		word.Reset()
		started = false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, started = r, true
		case strings.ContainsRune(" \t\n", r):
			end()
		case strings.ContainsRune("|&;<>", r) || r == '#' && !started:
			end()
			return words
		default:
			started = true
			word.WriteRune(r)
		}
	}
	end()
	return words
}

func TestShellWords(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, in string
		want     []string
	}{
		{"plain", "run plan.yaml --html x\n", []string{"run", "plan.yaml", "--html", "x"}},
		{"quotes", `write --rule '* delay=1s' --rest "a|b" x'y'z ''`, []string{"write", "--rule", "* delay=1s", "--rest", "a|b", "xyz", ""}},
		{"pipe", "run --json - | jq .verdict", []string{"run", "--json", "-"}},
		{"comment", "demo   # what it is for", []string{"demo"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := shellWords(row.in); !slices.Equal(got, row.want) {
				t.Errorf("shellWords(%q) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}

// takes reports what is wrong with a command line, without running it.
func takes(args []string) error {
	root := new(app).root()
	root.InitDefaultHelpCmd()
	c, rest, err := root.Find(twoDashes(args))
	if err != nil {
		return err
	}
	c.InitDefaultHelpFlag()
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	if len(rest) == 0 {
		return nil // prose names the command alone
	}
	return c.ValidateArgs(c.Flags().Args())
}

// Every plan of the pages is read without an error.
func TestDocs_plans(t *testing.T) {
	t.Parallel()
	base, err := os.ReadFile(docsRoot + "/examples/loan/plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range docs(t) {
		for _, plan := range p.Plans(string(base)) {
			if _, err := planfile.Parse(fmt.Sprintf("%s, block at line %d", plan.Page, plan.Line), []byte(plan.Whole)); err != nil {
				t.Error(err)
			}
		}
	}
}

// Who follows the pages sees what they show. The commands are timed, so this test
// runs alone.
//
//nolint:paralleltest // one at a time, on purpose
func TestDocs_commandsRun(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "../..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	examples, err := filepath.Abs(docsRoot + "/examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range docs(t) {
		if !slices.ContainsFunc(p.Blocks(), func(b docstest.Block) bool { return b.Mark == "run" }) {
			continue
		}
		t.Run(strings.ReplaceAll(p.Path, "/", "_"), func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Symlink(examples, filepath.Join(dir, "examples")); err != nil {
				t.Fatal(err)
			}
			follow(t, p, dir, bin)
		})
	}
}

// follow does in dir what a page tells its reader to do.
func follow(t *testing.T, p docstest.Page, dir, bin string) {
	var planName string
	status := 0
	plans := p.Plans("")
	for _, b := range p.Blocks() {
		if name, ok := strings.CutPrefix(b.Mark, "file "); ok {
			write(t, filepath.Join(dir, name), b.Text)
			if filepath.Ext(name) == ".yaml" {
				planName = name
			}
		}
		if b.Mark == "change" {
			i := slices.IndexFunc(plans, func(plan docstest.Plan) bool { return plan.Line == b.Line })
			if i < 0 || planName == "" {
				t.Fatalf("%s:%d: nothing to change", b.Page, b.Line)
			}
			write(t, filepath.Join(dir, planName), plans[i].Whole)
		}
		if b.Mark != "run" {
			continue
		}
		for _, step := range steps(b.Text) {
			cmd := exec.Command("/bin/sh", "-c", fmt.Sprintf("(exit %d); %s", status, step.command))
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOWORK=off", "GOFLAGS=")
			out, _ := cmd.CombinedOutput() // its status is the page's to show
			status = cmd.ProcessState.ExitCode()
			if step.shown == "" && status != 0 {
				t.Errorf("%s:%d: %s: exit status %d\n%s", b.Page, b.Line, step.command, status, out)
			}
			if line, absent := docstest.Absent(alike(string(out)), alike(step.shown)); absent && step.shown != "" {
				t.Errorf("%s:%d: %s does not print, after the lines above it, %q; it prints\n%s", b.Page, b.Line, step.command, line, out)
			}
		}
	}
}

// step is a command of a page, and what the page shows of its output.
type step struct{ command, shown string }

func steps(console string) (all []step) {
	for line := range strings.Lines(console) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			all = append(all, step{command: strings.TrimSpace(command)})
		} else if len(all) > 0 {
			all[len(all)-1].shown += line
		}
	}
	return all
}

var (
	// ofTheMachine are lines that stand there when a machine is busy.
	ofTheMachine = regexp.MustCompile(`(?m)^(?:.*the machine stalled.*|.*requests did not end.*)\n`)
	// ofThisRun is what differs from run to run, and a busy machine's figures.
	ofThisRun = regexp.MustCompile(`brunt (?:devel|v\S+)|\b[0-9a-f]{32}\b|\(go[^)]*\)|\b\d[\wµ.:-]*%?| +`)
	number    = regexp.MustCompile(`^\d+$`)
)

// alike is output without what differs from run to run. A line that is a number
// stays: it is an exit status.
func alike(out string) string {
	var b strings.Builder
	for line := range strings.Lines(ofTheMachine.ReplaceAllString(out, "")) {
		line = strings.TrimSpace(line)
		if !number.MatchString(line) {
			line = ofThisRun.ReplaceAllStringFunc(line, func(found string) string {
				if strings.TrimSpace(found) == "" {
					return " "
				}
				return "N"
			})
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A machine that is a little faster shows microseconds where the page shows milliseconds.
func TestAlike(t *testing.T) {
	t.Parallel()
	if a, b := alike("late  fault  8  999µs  1.01s"), alike("late fault 8 1.01ms 1s"); a != b {
		t.Errorf("%q is not taken for %q", a, b)
	}
}
