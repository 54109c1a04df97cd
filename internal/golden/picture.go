package golden

import (
	"bytes"
	"os"
	"testing"
)

// Picture fails t unless got and file are PNG pictures. With -update it writes the
// file. Two machines draw the same page with other fonts, so pictures are looked
// at and not compared.
func Picture(t testing.TB, got []byte, file string) {
	t.Helper()
	picture(t, got, file, *update)
}

func picture(t testing.TB, got []byte, file string, update bool) {
	t.Helper()
	const png = "\x89PNG\r\n"
	if !bytes.HasPrefix(got, []byte(png)) {
		t.Errorf("%d bytes, not a PNG picture", len(got))
		return
	}
	if update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Errorf("write picture: %v", err)
		}
		return
	}
	if there, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(there, []byte(png)) {
		t.Errorf("no picture in %s: %v (go test -update writes it)", file, err)
	}
}
