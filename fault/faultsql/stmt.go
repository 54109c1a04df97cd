package faultsql

import (
	"context"
	"database/sql/driver"
)

// stmt is a statement whose executions are injection points.
type stmt struct {
	inner driver.Stmt
	conn  *conn
	// visited is a visit that was made for this statement's first execution
	// already.
	visited *visit
}

var (
	_ driver.Stmt              = (*stmt)(nil)
	_ driver.StmtExecContext   = (*stmt)(nil)
	_ driver.StmtQueryContext  = (*stmt)(nil)
	_ driver.NamedValueChecker = (*stmt)(nil)
)

// convertingStmt is the stmt of a driver with a ColumnConverter. Having one
// changes how database/sql converts arguments, so no other stmt does.
type convertingStmt struct {
	*stmt
	converter driver.ColumnConverter //nolint:staticcheck // old drivers have no other
}

var _ driver.ColumnConverter = convertingStmt{} //nolint:staticcheck // old drivers have no other

func (s convertingStmt) ColumnConverter(i int) driver.ValueConverter {
	return s.converter.ColumnConverter(i)
}

func (s *stmt) Close() error  { return s.inner.Close() }
func (s *stmt) NumInput() int { return s.inner.NumInput() }

func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), positional(args))
}

func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), positional(args))
}

func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	v, err := s.begin(ctx, Exec)
	if err != nil {
		return nil, err
	}
	inner, ok := s.inner.(driver.StmtExecContext)
	if !ok {
		inner = oldStmt{s.inner}
	}
	result, err := inner.ExecContext(ctx, args)
	return result, s.conn.done(v, err)
}

func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	v, err := s.begin(ctx, Query)
	if err != nil {
		return nil, err
	}
	inner, ok := s.inner.(driver.StmtQueryContext)
	if !ok {
		inner = oldStmt{s.inner}
	}
	r, err := inner.QueryContext(ctx, args)
	return s.conn.rows(ctx, v, r, err)
}

func (s *stmt) begin(ctx context.Context, op Operation) (visit, error) {
	if v := s.visited; v != nil {
		s.visited = nil
		return *v, nil
	}
	return s.conn.begin(ctx, op)
}

// CheckNamedValue implements [driver.NamedValueChecker] with the statement's
// or, as database/sql does, the connection's.
func (s *stmt) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := s.inner.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return s.conn.CheckNamedValue(v)
}

func positional(args []driver.Value) []driver.NamedValue {
	named := make([]driver.NamedValue, len(args))
	for i, value := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: value}
	}
	return named
}
