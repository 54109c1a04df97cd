package docstest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Page is one file of Markdown.
type Page struct {
	// Path is the file, with slashes, as seen from the repository's root.
	Path string
	// Text is what it holds.
	Text string
}

// Block is a fenced block of code.
type Block struct {
	// Page is the path of its page, Line the line of its first fence, from 1.
	Page string
	Line int
	// Lang is the word after the fence, such as "go", or "".
	Lang string
	// Mark is what a comment on the line above says, or "".
	Mark string
	// Above is the line of prose a reader sees above it, or "" where another
	// block is.
	Above string
	// Text is the code.
	Text string
}

// Pages reads every page below root, those of tests' data aside.
func Pages(root string) ([]Page, error) {
	var pages []Page
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".md" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		pages = append(pages, Page{filepath.ToSlash(rel), string(data)})
		return err
	})
	return pages, err
}

var (
	fence = regexp.MustCompile("^ *(```+)([A-Za-z]*) *$")
	mark  = regexp.MustCompile(`^<!-- (.+) -->$`)
)

// Blocks are the page's blocks of code, in order.
func (p Page) Blocks() []Block {
	_, blocks := p.split()
	return blocks
}

// Prose is the page without its blocks of code, whose lines are empty.
func (p Page) Prose() string {
	prose, _ := p.split()
	return prose
}

func (p Page) split() (string, []Block) {
	var (
		prose  []string
		blocks []Block
		open   string // the fence of the block we are in
		above  string
		seen   string // the last line of prose since the last block
	)
	for i, line := range strings.Split(p.Text, "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case open == "" && m != nil:
			open = m[1]
			b := Block{Page: p.Path, Line: i + 1, Lang: m[2], Above: seen}
			if said := mark.FindStringSubmatch(above); said != nil {
				b.Mark = said[1]
			}
			blocks = append(blocks, b)
			line, seen = "", ""
		case open != "" && strings.TrimSpace(line) == open:
			open, line = "", ""
		case open != "":
			blocks[len(blocks)-1].Text += line + "\n"
			line = ""
		case strings.TrimSpace(line) != "" && !mark.MatchString(line):
			seen = line
		}
		above = line
		prose = append(prose, line)
	}
	return strings.Join(prose, "\n"), blocks
}

var codeSpan = regexp.MustCompile("`[^`\n]+`")

// Spans are the pieces of code inside the page's prose.
func (p Page) Spans() []string {
	spans := codeSpan.FindAllString(p.Prose(), -1)
	for i := range spans {
		spans[i] = strings.Trim(spans[i], "`")
	}
	return spans
}

var (
	inlineLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	attribute  = regexp.MustCompile(`(?:src|href|srcset)="([^"]+)"`)
)

// Links are where the page's links and pictures point.
func (p Page) Links() []string {
	text := codeSpan.ReplaceAllString(p.Prose(), "")
	var links []string
	for _, m := range slices.Concat(inlineLink.FindAllStringSubmatch(text, -1), attribute.FindAllStringSubmatch(text, -1)) {
		links = append(links, m[1])
	}
	return links
}

var (
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#*$`)
	// dropped is what GitHub leaves out of a heading's anchor.
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Headings are the texts of the page's headings.
func (p Page) Headings() []string {
	var headings []string
	for _, m := range heading.FindAllStringSubmatch(p.Prose(), -1) {
		headings = append(headings, m[1])
	}
	return headings
}

// Anchors are the names GitHub gives the page's headings.
func (p Page) Anchors() []string {
	var anchors []string
	for _, h := range p.Headings() {
		h = inlineLink.ReplaceAllString(h, "")
		name := strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(h), ""), " ", "-")
		anchors = append(anchors, name)
	}
	return anchors
}
