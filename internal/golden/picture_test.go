package golden

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPicture(t *testing.T) {
	t.Parallel()
	const picturePNG, other = "\x89PNG\r\n\x1a\n one", "\x89PNG\r\n\x1a\n two"
	file := filepath.Join(t.TempDir(), "picture.png")
	steps := []struct {
		name, got string
		update    bool
		fails     bool
	}{
		{"none", picturePNG, false, true},
		{"no_picture", "text", true, true},
		{"written", picturePNG, true, false},
		{"another_machine", other, false, false},
		{"no_picture_any_more", "text", false, true},
	}
	for _, step := range steps {
		r := &recorder{}
		picture(r, []byte(step.got), file, step.update)
		if (r.failure != "") != step.fails {
			t.Errorf("%s: failure %q, want one: %v", step.name, r.failure, step.fails)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != picturePNG {
		t.Errorf("the file holds %q (%v), want what was written", got, err)
	}
}
