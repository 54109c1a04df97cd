package faultsql

import (
	"context"
	"database/sql/driver"
	"io"
	"reflect"
)

// wrapRows returns r with the point of its rows around it, where that is a
// point of its own.
func (c *conn) wrapRows(ctx context.Context, r driver.Rows) driver.Rows {
	if !c.in.perOperation || !c.in.faults.Carries(ctx) {
		return r
	}
	return &rows{Rows: r, conn: c, ctx: ctx}
}

// rows is a query's rows, the first of which is an injection point.
type rows struct {
	driver.Rows
	conn *conn
	ctx  context.Context //nolint:containedctx // the query's, the only one rows have
	read bool
}

var (
	_ driver.RowsNextResultSet              = (*rows)(nil)
	_ driver.RowsColumnTypeDatabaseTypeName = (*rows)(nil)
	_ driver.RowsColumnTypeLength           = (*rows)(nil)
	_ driver.RowsColumnTypeNullable         = (*rows)(nil)
	_ driver.RowsColumnTypePrecisionScale   = (*rows)(nil)
	_ driver.RowsColumnTypeScanType         = (*rows)(nil)
)

// Next implements [driver.Rows]. The database has sent its answer by now, so an
// abort and a lost answer are the same: the network fails in the middle of it.
func (r *rows) Next(dest []driver.Value) error {
	if !r.read {
		r.read = true
		v, err := r.conn.begin(r.ctx, Rows)
		if err == nil {
			err = r.conn.answer(v)
		}
		if err != nil {
			r.conn.lost = true
			return err
		}
	}
	return r.Rows.Next(dest)
}

// What a driver can tell of a column or of further results, and what
// database/sql assumes of one that can't.

func (r *rows) HasNextResultSet() bool {
	inner, ok := r.Rows.(driver.RowsNextResultSet)
	return ok && inner.HasNextResultSet()
}

func (r *rows) NextResultSet() error {
	if inner, ok := r.Rows.(driver.RowsNextResultSet); ok {
		return inner.NextResultSet()
	}
	return io.EOF
}

func (r *rows) ColumnTypeScanType(i int) reflect.Type {
	if inner, ok := r.Rows.(driver.RowsColumnTypeScanType); ok {
		return inner.ColumnTypeScanType(i)
	}
	return reflect.TypeFor[any]()
}

func (r *rows) ColumnTypeDatabaseTypeName(i int) string {
	if inner, ok := r.Rows.(driver.RowsColumnTypeDatabaseTypeName); ok {
		return inner.ColumnTypeDatabaseTypeName(i)
	}
	return ""
}

func (r *rows) ColumnTypeLength(i int) (int64, bool) {
	if inner, ok := r.Rows.(driver.RowsColumnTypeLength); ok {
		return inner.ColumnTypeLength(i)
	}
	return 0, false
}

func (r *rows) ColumnTypeNullable(i int) (nullable, ok bool) {
	if inner, ok := r.Rows.(driver.RowsColumnTypeNullable); ok {
		return inner.ColumnTypeNullable(i)
	}
	return false, false
}

func (r *rows) ColumnTypePrecisionScale(i int) (precision, scale int64, ok bool) {
	if inner, ok := r.Rows.(driver.RowsColumnTypePrecisionScale); ok {
		return inner.ColumnTypePrecisionScale(i)
	}
	return 0, 0, false
}
