package toxic

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The reference has a row for each toxic and each attribute, in its order.
func TestReference(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/reference/toxics.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range Kinds() {
		_, rest, found := strings.Cut(string(page), fmt.Sprintf("\n| `%s` ", kind))
		if !found {
			t.Errorf("docs/reference/toxics.md has no row for %s", kind)
			continue
		}
		rest, _, _ = strings.Cut(rest, "\n| `") // the next toxic
		for _, a := range kinds()[kind]().Attributes() {
			_, after, found := strings.Cut(rest, fmt.Sprintf("| `%s` |", a.Name))
			if !found {
				t.Errorf("docs/reference/toxics.md has no row for %s of %s", a.Name, kind)
				continue
			}
			rest = after
		}
	}
}
