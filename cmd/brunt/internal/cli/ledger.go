package cli

import (
	"io"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/ledger"
)

// writeLedger writes what happened in every arm. Each arm begins with a note
// that names it.
func writeLedger(w io.Writer, result *experiment.Result) error {
	var entries []ledger.Entry
	for _, arm := range result.Arms {
		entries = append(entries, arm.Entries...)
	}
	return ledger.Write(w, entries)
}
