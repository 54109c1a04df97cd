package faultsql

import (
	"context"
	"database/sql/driver"
	"errors"
)

func (c *conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

func (c *conn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	v, err := c.begin(ctx, Begin)
	if err != nil {
		return nil, err
	}
	inner, err := beginTx(ctx, c.inner, options)
	if err != nil {
		return nil, err
	}
	if err := c.answer(v); err != nil {
		_ = inner.Rollback() // as the database does when the connection goes
		return nil, err
	}
	return &tx{inner, c, ctx}, nil
}

// beginTx begins a transaction, on a driver without options as database/sql
// does.
func beginTx(ctx context.Context, inner driver.Conn, options driver.TxOptions) (driver.Tx, error) {
	if c, ok := inner.(driver.ConnBeginTx); ok {
		return c.BeginTx(ctx, options)
	}
	if options.Isolation != 0 {
		return nil, errors.New("sql: driver does not support non-default isolation level")
	}
	if options.ReadOnly {
		return nil, errors.New("sql: driver does not support read-only transactions")
	}
	t, err := inner.Begin() //nolint:staticcheck // old drivers have no other
	if err == nil && ctx.Err() != nil {
		_ = t.Rollback() // the context's error is the one that counts
		return nil, ctx.Err()
	}
	return t, err
}

// tx is a transaction whose commit is an injection point. A rollback is none:
// it is how a caller cleans up.
type tx struct {
	inner driver.Tx
	conn  *conn
	ctx   context.Context //nolint:containedctx // the only one a commit has
}

func (t *tx) Commit() error {
	v, err := t.conn.begin(t.ctx, Commit)
	if err != nil {
		// The pool believes that the transaction is over. End it, and with it
		// the connection, as the database would.
		t.conn.lost = true
		_ = t.inner.Rollback() // the injected error is the one that counts
		return err
	}
	return t.conn.done(v, t.inner.Commit())
}

func (t *tx) Rollback() error { return t.inner.Rollback() }
