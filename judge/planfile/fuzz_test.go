package planfile

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Whatever a file holds, reading it neither panics nor takes long, and every
// problem has its place.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*.yaml", "testdata/bad/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		start := time.Now()
		e, err := Parse("plan.yaml", data)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("Parse took %v", took)
		}
		if err != nil {
			checkErrors(t, data, err)
			return
		}
		// What passed is whole.
		if e.Name == "" || len(e.Faults) == 0 || len(e.Judge.Require) == 0 {
			t.Errorf("Parse = %+v, want an experiment or errors", e)
		}
	})
}
