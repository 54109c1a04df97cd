package faultsql

import (
	"context"
	"database/sql/driver"
	"errors"
)

// Drivers from before contexts came to database/sql, called as it calls them:
// the arguments by position, and not at all once the context is done.
type (
	oldExecer  struct{ driver.Execer }
	oldQueryer struct{ driver.Queryer }
	oldStmt    struct{ driver.Stmt }
)

func (o oldExecer) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	values, err := unnamed(ctx, args)
	if err != nil {
		return nil, err
	}
	return o.Exec(query, values)
}

func (o oldQueryer) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	values, err := unnamed(ctx, args)
	if err != nil {
		return nil, err
	}
	return o.Query(query, values)
}

func (o oldStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	values, err := unnamed(ctx, args)
	if err != nil {
		return nil, err
	}
	return o.Exec(values)
}

func (o oldStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	values, err := unnamed(ctx, args)
	if err != nil {
		return nil, err
	}
	return o.Query(values)
}

func unnamed(ctx context.Context, args []driver.NamedValue) ([]driver.Value, error) {
	values := make([]driver.Value, len(args))
	for i, arg := range args {
		if arg.Name != "" {
			return nil, errors.New("sql: driver does not support the use of Named Parameters")
		}
		values[i] = arg.Value
	}
	return values, ctx.Err()
}
