package golden

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCheckSection(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "page.md")
	page := "# Page\n<!-- begin table -->\nold\n<!-- end table -->\nrest\n"
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	checkSection(t, file, "table", "old", false)
	checkSection(t, file, "table", "new\nrows\n\n", true)
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := "# Page\n<!-- begin table -->\nnew\nrows\n<!-- end table -->\nrest\n"; string(got) != want {
		t.Errorf("the page is %q, want %q", got, want)
	}
	checkSection(t, file, "table", "new\nrows", false)
}
