package docstest

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

func pages(t *testing.T) []Page {
	t.Helper()
	all, err := Pages(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("no page below %s", root)
	}
	return all
}

func exists(t *testing.T, name string) bool {
	t.Helper()
	matches, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return len(matches) > 0
}

func TestDocs_links(t *testing.T) {
	t.Parallel()
	all := pages(t)
	anchors := map[string][]string{}
	for _, p := range all {
		anchors[p.Path] = p.Anchors()
	}
	for _, p := range all {
		for _, link := range p.Links() {
			if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
				continue // tests ask nothing of the Internet
			}
			file, anchor, _ := strings.Cut(link, "#")
			target := p.Path
			if file != "" {
				target = path.Join(path.Dir(p.Path), file)
			}
			switch {
			case !exists(t, target):
				t.Errorf("%s: %s leads nowhere", p.Path, link)
			case anchor != "" && !slices.Contains(anchors[target], anchor):
				t.Errorf("%s: %s: %s has no such heading", p.Path, link, target)
			}
		}
	}
}

// named is a path of this repository, as prose and code name one.
var named = regexp.MustCompile(`^(\./)?(bench|cmd|docs|examples|fault|fit|internal|judge|network|test|tools)/[\w./*-]*$`)

func TestDocs_paths(t *testing.T) {
	t.Parallel()
	for _, p := range pages(t) {
		words := p.Spans()
		for _, b := range p.Blocks() {
			words = append(words, strings.Fields(b.Text)...)
		}
		for _, word := range words {
			if named.MatchString(word) && !exists(t, strings.TrimSuffix(word, "/...")) {
				t.Errorf("%s: %s does not exist", p.Path, word)
			}
		}
	}
}

func TestDocs_blocks(t *testing.T) {
	t.Parallel()
	for _, p := range pages(t) {
		for _, b := range p.Blocks() {
			switch {
			case strings.HasPrefix(b.Mark, "file "):
				if name := "`" + strings.TrimPrefix(b.Mark, "file ") + "`"; !strings.Contains(b.Above, name) {
					t.Errorf("%s:%d: the line above does not name %s: a comment is not seen on the page", b.Page, b.Line, name)
				}
			case strings.HasPrefix(b.Mark, "output of "):
				file := strings.TrimPrefix(b.Mark, "output of ")
				if line, absent := Absent(read(t, file), b.Text); absent {
					t.Errorf("%s:%d: %s does not have, after the lines above it, the line %q", b.Page, b.Line, file, line)
				}
			case filepath.Ext(b.Mark) == ".go":
				if !Quotes(read(t, b.Mark), b.Text) {
					t.Errorf("%s:%d: these are not lines of %s", b.Page, b.Line, b.Mark)
				}
			case b.Lang == "go":
				t.Errorf("%s:%d: Go without a <!-- PATH.go --> above it: nothing shows that it compiles", b.Page, b.Line)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A path of somebody's machine means nothing to a reader.
func TestDocs_noMachinePaths(t *testing.T) {
	t.Parallel()
	machine := regexp.MustCompile(`(?:^|[\s"'(=:` + "`" + `])(/(?:home|root|Users|work|tmp|var|mnt|private)/\S*|[A-Z]:\\\S*)`)
	for _, p := range pages(t) {
		for i, line := range strings.Split(p.Text, "\n") {
			if m := machine.FindStringSubmatch(line); m != nil {
				t.Errorf("%s:%d: %s", p.Path, i+1, m[1])
			}
		}
	}
}

// Whoever opens docs/ finds every page of it.
func TestDocs_index(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	all := pages(t)
	for _, p := range all {
		if p.Path == "docs/README.md" {
			for _, link := range p.Links() {
				file, _, _ := strings.Cut(link, "#")
				listed[path.Join("docs", file)] = true
			}
		}
	}
	for _, p := range all {
		if strings.HasPrefix(p.Path, "docs/") && p.Path != "docs/README.md" && !listed[p.Path] {
			t.Errorf("docs/README.md does not list %s", p.Path)
		}
	}
}

// The glossary has each word once, in order.
func TestDocs_glossary(t *testing.T) {
	t.Parallel()
	headings := Page{Text: read(t, "docs/glossary.md")}.Headings()
	if len(headings) < 2 {
		t.Fatal("the glossary has no words")
	}
	words := headings[1:]
	for i, word := range words[1:] {
		if strings.ToLower(words[i]) >= strings.ToLower(word) {
			t.Errorf("%q stands before %q: each word has one place, by the alphabet", words[i], word)
		}
	}
}

// ARCHITECTURE.md says what each folder with code is for.
func TestDocs_everyPackage(t *testing.T) {
	t.Parallel()
	text := read(t, "ARCHITECTURE.md")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		sources, err := filepath.Glob(filepath.Join(name, "*.go"))
		if err != nil || len(sources) == 0 {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if rel = filepath.ToSlash(rel); rel != "." && !strings.Contains(text, "`"+rel+"`") {
			t.Errorf("ARCHITECTURE.md does not name `%s`", rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
