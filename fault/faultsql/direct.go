package faultsql

import (
	"context"
	"database/sql/driver"
)

// Some drivers can execute or query without a statement. A wrapped connection
// can do what the one inside can and no more: database/sql converts the
// arguments earlier on one that can, before the statement has been asked how.
type (
	execConn struct {
		*conn
		execs
	}
	queryConn struct {
		*conn
		queries
	}
	directConn struct {
		*conn
		execs
		queries
	}

	execs struct {
		on    *conn
		execs driver.ExecerContext
	}
	queries struct {
		on      *conn
		queries driver.QueryerContext
	}
)

var (
	_ driver.ExecerContext  = execs{}
	_ driver.QueryerContext = queries{}
)

// wrap returns inner as an injection point.
func (in *injection) wrap(inner driver.Conn) driver.Conn {
	c := &conn{inner: inner, in: in}
	e, q := execs{c, execer(inner)}, queries{c, queryer(inner)}
	switch {
	case e.execs != nil && q.queries != nil:
		return directConn{c, e, q}
	case e.execs != nil:
		return execConn{c, e}
	case q.queries != nil:
		return queryConn{c, q}
	}
	return c
}

func (e execs) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	v, err := e.on.begin(ctx, Exec)
	if err != nil {
		return nil, err
	}
	result, err := e.execs.ExecContext(ctx, query, args)
	return result, e.on.done(v, err)
}

func (q queries) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	v, err := q.on.begin(ctx, Query)
	if err != nil {
		return nil, err
	}
	r, err := q.queries.QueryContext(ctx, query, args)
	return q.on.rows(ctx, v, r, err)
}

func execer(inner driver.Conn) driver.ExecerContext {
	if e, ok := inner.(driver.ExecerContext); ok {
		return e
	}
	if e, ok := inner.(driver.Execer); ok { //nolint:staticcheck // old drivers have no other
		return oldExecer{e}
	}
	return nil
}

func queryer(inner driver.Conn) driver.QueryerContext {
	if q, ok := inner.(driver.QueryerContext); ok {
		return q
	}
	if q, ok := inner.(driver.Queryer); ok { //nolint:staticcheck // old drivers have no other
		return oldQueryer{q}
	}
	return nil
}
