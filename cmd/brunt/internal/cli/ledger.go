package cli

import (
	"os"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/ledger"
)

// writeLedger writes what happened in every arm to path, unless that is "". Each
// arm begins with a note that names it.
func writeLedger(path string, result *experiment.Result) error {
	if path == "" {
		return nil
	}
	var entries []ledger.Entry
	for _, arm := range result.Arms {
		entries = append(entries, arm.Entries...)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := ledger.Write(f, entries); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
