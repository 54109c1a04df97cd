package figure

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	t.Parallel()
	table := Table{Head: []string{"load", "p50 µs", "of direct"}}
	table.Add("direct", "7", "")
	table.Add("httpproxy", "1234567", "0.49")
	var got strings.Builder
	table.Print(&got)
	want := `load        p50 µs  of direct
direct           7
httpproxy  1234567       0.49
`
	if got.String() != want {
		t.Errorf("the table reads\n%s\nwant\n%s", got.String(), want)
	}
}
