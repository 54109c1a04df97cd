package docstest

import "strings"

// Quotes reports whether text is consecutive lines of source, however deep
// either is indented.
func Quotes(source, text string) bool {
	want := dedent(lines(text))
	all := lines(source)
	for i := range len(all) - len(want) + 1 {
		if strings.Join(dedent(all[i:i+len(want)]), "\n") == strings.Join(want, "\n") {
			return true
		}
	}
	return false
}

// Absent returns the first line of text that is not in source after the lines
// before it, and whether there is one. A line "..." stands for any lines.
// Spaces at the ends of lines make no difference.
func Absent(source, text string) (string, bool) {
	rest := lines(source)
	skip := true
	for _, line := range lines(text) {
		if line == "..." {
			skip = true
			continue
		}
		at := -1
		for i, candidate := range rest {
			if strings.TrimRight(candidate, " ") == strings.TrimRight(line, " ") {
				at = i
				break
			}
		}
		if at < 0 || at > 0 && !skip {
			return line, true
		}
		rest, skip = rest[at+1:], false
	}
	return "", false
}

func lines(text string) []string { return strings.Split(strings.Trim(text, "\n"), "\n") }

// dedent takes the tabs away that every line begins with.
func dedent(in []string) []string {
	common := -1
	for _, line := range in {
		depth := len(line) - len(strings.TrimLeft(line, "\t"))
		if line != "" && (common < 0 || depth < common) {
			common = depth
		}
	}
	out := make([]string, len(in))
	for i, line := range in {
		if line != "" {
			out[i] = line[common:]
		}
	}
	return out
}
