package faultsql_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
)

// decoder reads a scenario from a member that names it.
type decoder map[string]fit.Scenario

func (d decoder) Decode(b baggage.Baggage) (fit.Scenario, bool, error) {
	s, ok := d[b.Member("scenario").Value()]
	return s, ok, nil
}

func (decoder) Strip(b baggage.Baggage) baggage.Baggage { return b.DeleteMember("scenario") }

// injecting returns an Injector and the context of a request that meets f at
// point.
func injecting(t testing.TB, point string, f fit.Fault) (fault.Injector, context.Context) {
	t.Helper()
	in, err := fault.New(fault.Settings{
		Decoder:  decoder{"it": {Rules: []fit.Rule{{Point: point, Fault: f}}}},
		MaxDelay: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := baggage.Parse("scenario=it")
	if err != nil {
		t.Fatal(err)
	}
	return in, baggage.ContextWithBaggage(t.Context(), b)
}

// calls is what a database was asked, in order.
type calls struct {
	mu  sync.Mutex
	log []string
}

func (c *calls) add(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = append(c.log, fmt.Sprintf(format, args...))
}

func (c *calls) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.log)
}

// bare is a database whose driver has nothing optional; the other ones here add
// to it.
type bare struct{ *calls }

func (d bare) Open(name string) (driver.Conn, error) {
	d.add("open %s", name)
	return bareConn(d), nil
}

type bareConn struct{ *calls }

func (c bareConn) Close() error { c.add("close"); return nil }
func (c bareConn) Prepare(query string) (driver.Stmt, error) {
	c.add("prepare %s", query)
	return bareStmt{c.calls, query}, nil
}
func (c bareConn) Begin() (driver.Tx, error) { c.add("begin"); return bareTx(c), nil }

type bareTx struct{ *calls }

func (t bareTx) Commit() error   { t.add("commit"); return nil }
func (t bareTx) Rollback() error { t.add("rollback"); return nil }

type bareStmt struct {
	*calls
	query string
}

func (s bareStmt) Close() error  { s.add("close %s", s.query); return nil }
func (s bareStmt) NumInput() int { return -1 }
func (s bareStmt) Exec(args []driver.Value) (driver.Result, error) {
	s.add("exec %s %#v", s.query, args)
	return driver.RowsAffected(1), failure(s.query)
}
func (s bareStmt) Query(args []driver.Value) (driver.Rows, error) {
	s.add("query %s %#v", s.query, args)
	return &bareRows{calls: s.calls}, failure(s.query)
}

var errDatabase = errors.New("relation does not exist")

func failure(query string) error {
	if query == "fail" {
		return errDatabase
	}
	return nil
}

type bareRows struct {
	*calls
	read int
}

func (r *bareRows) Columns() []string { return []string{"id"} }
func (r *bareRows) Close() error      { r.add("close rows"); return nil }
func (r *bareRows) Next(dest []driver.Value) error {
	if r.read++; r.read > 2 {
		return io.EOF
	}
	dest[0] = int64(r.read)
	return nil
}

// full is a database whose driver has everything optional.
type full struct{ bare }

func (d full) OpenConnector(name string) (driver.Connector, error) {
	d.add("connector %s", name)
	return fullConnector{d, name}, nil
}

type fullConnector struct {
	full
	name string
}

func (c fullConnector) Connect(context.Context) (driver.Conn, error) {
	c.add("connect %s", c.name)
	return fullConn{bareConn{c.calls}}, nil
}
func (c fullConnector) Driver() driver.Driver { return c.full }
func (c fullConnector) Close() error          { c.add("close connector"); return nil }

type fullConn struct{ bareConn }

func (c fullConn) Ping(context.Context) error         { c.add("ping"); return nil }
func (c fullConn) ResetSession(context.Context) error { c.add("reset"); return nil }
func (c fullConn) IsValid() bool                      { c.add("valid?"); return true }
func (c fullConn) BeginTx(_ context.Context, o driver.TxOptions) (driver.Tx, error) {
	c.add("begin %+v", o)
	return bareTx{c.calls}, nil
}
func (c fullConn) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	c.add("prepare in context %s", query)
	return fullStmt{bareStmt{c.calls, query}}, nil
}
func (c fullConn) CheckNamedValue(v *driver.NamedValue) error { return check(c.calls, "conn", v) }
func (c fullConn) ExecContext(_ context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.add("exec in context %s %+v", query, args)
	if query == "skip" {
		return nil, driver.ErrSkip
	}
	return driver.RowsAffected(1), failure(query)
}
func (c fullConn) QueryContext(_ context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.add("query in context %s %+v", query, args)
	if query == "skip" {
		return nil, driver.ErrSkip
	}
	return &fullRows{bareRows{calls: c.calls}, 0}, failure(query)
}

type odd int

func check(c *calls, who string, v *driver.NamedValue) error {
	c.add("%s checks %v", who, v.Value)
	if o, ok := v.Value.(odd); ok {
		v.Value = fmt.Sprintf("odd %d", o)
		return nil
	}
	return driver.ErrSkip
}

type fullStmt struct{ bareStmt }

func (s fullStmt) CheckNamedValue(v *driver.NamedValue) error { return check(s.calls, "stmt", v) }
func (s fullStmt) ExecContext(_ context.Context, args []driver.NamedValue) (driver.Result, error) {
	s.add("exec in context %s %+v", s.query, args)
	return driver.RowsAffected(1), failure(s.query)
}
func (s fullStmt) QueryContext(_ context.Context, args []driver.NamedValue) (driver.Rows, error) {
	s.add("query in context %s %+v", s.query, args)
	return &fullRows{bareRows{calls: s.calls}, 0}, failure(s.query)
}

type fullRows struct {
	bareRows
	set int
}

func (r *fullRows) HasNextResultSet() bool                     { return r.set == 0 }
func (r *fullRows) NextResultSet() error                       { r.set, r.read = 1, 0; return nil }
func (r *fullRows) ColumnTypeScanType(int) reflect.Type        { return reflect.TypeFor[int64]() }
func (r *fullRows) ColumnTypeDatabaseTypeName(int) string      { return "BIGINT" }
func (r *fullRows) ColumnTypeLength(int) (int64, bool)         { return 8, true }
func (r *fullRows) ColumnTypeNullable(int) (nullable, ok bool) { return true, true }
func (r *fullRows) ColumnTypePrecisionScale(int) (precision, scale int64, ok bool) {
	return 19, 0, true
}

// old is a database whose driver is from before contexts.
type old struct{ bare }

func (d old) Open(name string) (driver.Conn, error) {
	d.add("open %s", name)
	return oldConn{bareConn{d.calls}}, nil
}

type oldConn struct{ bareConn }

func (c oldConn) Exec(query string, args []driver.Value) (driver.Result, error) {
	c.add("old exec %s %#v", query, args)
	return driver.RowsAffected(1), failure(query)
}
func (c oldConn) Query(query string, args []driver.Value) (driver.Rows, error) {
	c.add("old query %s %#v", query, args)
	return &bareRows{calls: c.calls}, failure(query)
}
func (c oldConn) Prepare(query string) (driver.Stmt, error) {
	c.add("prepare %s", query)
	return oldStmt{bareStmt{c.calls, query}}, nil
}

type oldStmt struct{ bareStmt }

func (oldStmt) NumInput() int { return 1 }
func (s oldStmt) ColumnConverter(int) driver.ValueConverter {
	s.add("convert")
	return driver.String
}
