package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	t.Parallel()
	table := table{head: []string{"load", "p50 µs", "of direct"}}
	table.add("direct", "7", "")
	table.add("httpproxy", "1234567", "0.49")
	var got strings.Builder
	table.print(&got)
	want := `load        p50 µs  of direct
direct           7
httpproxy  1234567       0.49
`
	if got.String() != want {
		t.Errorf("the table reads\n%s\nwant\n%s", got.String(), want)
	}
}
