// Package near finds what somebody meant who wrote a word that is not known.
package near

import "strings"

// Word returns the name of known that word was most likely meant to be, or "".
func Word(word string, known []string) string {
	best, least := "", max(1, len([]rune(word))/3)+1
	for _, name := range known {
		d := distance(strings.ToLower(word), strings.ToLower(name))
		if len(word) > 2 && strings.HasPrefix(name, word) {
			d = 1 // it was cut off
		}
		if d < least && d < len([]rune(name)) {
			best, least = name, d
		}
	}
	return best
}

// distance is the number of characters to add, drop, change or swap with their
// neighbour that makes b out of a.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	const longest = 64 // of words that can still be near any of ours
	if len(from) > longest || len(to) > longest {
		return longest
	}
	var older, old []int
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := range from {
		older, old, row = old, row, make([]int, len(to)+1)
		row[0] = i + 1
		for j := range to {
			change := old[j]
			if from[i] != to[j] {
				change++
			}
			row[j+1] = min(change, old[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && from[i] == to[j-1] && from[i-1] == to[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
	}
	return row[len(to)]
}
