package faultsql_test

import (
	"database/sql/driver"
	"errors"
	"slices"
	"testing"

	"github.com/brunt-go/brunt/fault/faultsql"
	"github.com/brunt-go/brunt/fit"
)

// X4: a connection whose answer was lost is gone for the transaction too: nothing
// more is sent, and its commit can't succeed. The scenario need not be that of
// the transaction.
func TestTx_lost(t *testing.T) {
	t.Parallel()
	faults, ctx := injecting(t, point+":exec", fit.Fault{Lost: true})
	db, log := database(t, faults, faultsql.PerOperation())
	defer db.Close()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	stmt, err := tx.PrepareContext(t.Context(), "prepared")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(ctx, "do"); !errors.Is(err, fit.ErrLost) {
		t.Errorf("err = %v, want a lost answer", err)
	}
	_, execErr := tx.ExecContext(t.Context(), "do")
	_, queryErr := tx.QueryContext(t.Context(), "do") //nolint:rowserrcheck,sqlclosecheck // there are none
	_, stmtErr := stmt.ExecContext(t.Context())
	_, prepareErr := tx.PrepareContext(t.Context(), "another") //nolint:sqlclosecheck // there is none
	for op, err := range map[string]error{"exec": execErr, "query": queryErr, "stmt": stmtErr, "prepare": prepareErr, "commit": tx.Commit()} {
		if !errors.Is(err, driver.ErrBadConn) {
			t.Errorf("%s after the loss: err = %v, want driver.ErrBadConn", op, err)
		}
	}
	if got, want := asked(log), []string{"begin", "exec", "rollback"}; !slices.Equal(got, want) {
		t.Errorf("the database did %q, want %q", got, want)
	}
	if n := db.Stats().OpenConnections; n != 0 {
		t.Errorf("%d connections are left, want none", n)
	}
	if _, err := db.ExecContext(t.Context(), "do"); err != nil {
		t.Errorf("the pool after the loss: %v", err)
	}
}
