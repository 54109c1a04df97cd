package faultsql_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faultsql"
	"github.com/brunt-go/brunt/fit"
)

// How each interface of database/sql/driver that a driver may add goes through.
// The script of TestTransparent uses them all.
var optional = map[string]string{
	"DriverContext":      "Driver.OpenConnector",
	"Pinger":             "conn.Ping",
	"Execer":             "execs",
	"ExecerContext":      "execs",
	"Queryer":            "queries",
	"QueryerContext":     "queries",
	"ConnPrepareContext": "conn.PrepareContext",
	"ConnBeginTx":        "conn.BeginTx",
	"SessionResetter":    "conn.ResetSession",
	"Validator":          "conn.IsValid",
	"NamedValueChecker":  "conn.CheckNamedValue, stmt.CheckNamedValue",
	"StmtExecContext":    "stmt.ExecContext",
	"StmtQueryContext":   "stmt.QueryContext",
	"ColumnConverter":    "convertingStmt",

	"RowsNextResultSet":              "rows",
	"RowsColumnTypeScanType":         "rows",
	"RowsColumnTypeDatabaseTypeName": "rows",
	"RowsColumnTypeLength":           "rows",
	"RowsColumnTypeNullable":         "rows",
	"RowsColumnTypePrecisionScale":   "rows",
}

// Every interface the standard library has is one of those, or needs nothing. A
// new version of Go that adds one fails here until it goes through.
func TestOptionalInterfaces(t *testing.T) {
	t.Parallel()
	needNothing := map[string]bool{
		"Driver": true, "Connector": true, "Conn": true, "Stmt": true, "Tx": true, "Rows": true, // what is wrapped
		"Result": true, "Valuer": true, "ValueConverter": true, // values, not wrapped
	}
	pkg, err := build.Import("database/sql/driver", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, name := range pkg.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for n := range ast.Preorder(file) {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() || spec.Name.Name == "Value" {
				continue
			}
			if _, ok := spec.Type.(*ast.InterfaceType); !ok {
				continue
			}
			seen++
			if name := spec.Name.Name; optional[name] == "" && !needNothing[name] {
				t.Errorf("driver.%s does not go through: a driver that has it loses it when wrapped", name)
			}
		}
	}
	if want := len(optional) + len(needNothing); seen != want {
		t.Errorf("database/sql/driver has %d interfaces, %d are listed here", seen, want)
	}
}

// script uses a database in every way database/sql has and returns what came of
// it.
func script(ctx context.Context, db *sql.DB) (seen []string) {
	note := func(format string, args ...any) { seen = append(seen, fmt.Sprintf(format, args...)) }
	all := func(what string, rows *sql.Rows, err error) {
		if err != nil {
			note("%s: %v", what, err)
			return
		}
		defer rows.Close()
		columns, err := rows.ColumnTypes()
		for _, c := range columns {
			length, hasLength := c.Length()
			nullable, hasNullable := c.Nullable()
			precision, scale, hasPrecision := c.DecimalSize()
			note("%s: column %s %s %v %d %v %v %v %d %d %v", what, c.Name(), c.DatabaseTypeName(), c.ScanType(), length, hasLength, nullable, hasNullable, precision, scale, hasPrecision)
		}
		for {
			for rows.Next() {
				var id int
				note("%s: %v %d", what, rows.Scan(&id), id)
			}
			if !rows.NextResultSet() {
				break
			}
			note("%s: next set", what)
		}
		note("%s: %v, %v", what, err, rows.Err())
	}
	note("ping %v", db.PingContext(ctx))
	for _, query := range []string{"do", "fail", "skip"} {
		for _, args := range [][]any{nil, {7}, {odd(7)}, {sql.Named("n", "x")}, {struct{}{}}} {
			result, err := db.ExecContext(ctx, query, args...)
			note("exec %s %v: %v %v", query, args, result != nil, err)
			rows, err := db.QueryContext(ctx, query, args...)
			all(fmt.Sprintf("query %s %v", query, args), rows, err)
		}
	}
	stmt, err := db.PrepareContext(ctx, "prepared")
	note("prepare %v", err)
	for _, args := range [][]any{{"x"}, {7}, {odd(7)}} {
		result, err := stmt.ExecContext(ctx, args...)
		note("stmt exec %v: %v %v", args, result != nil, err)
		rows, err := stmt.QueryContext(ctx, args...)
		all(fmt.Sprintf("stmt query %v", args), rows, err)
	}
	note("close %v", stmt.Close())
	for _, options := range []*sql.TxOptions{nil, {ReadOnly: true}, {Isolation: sql.LevelSerializable}} {
		tx, err := db.BeginTx(ctx, options)
		note("begin %+v: %v", options, err)
		if err == nil {
			_, err = tx.ExecContext(ctx, "in tx")
			note("tx exec %v", err)
			note("commit %v", tx.Commit())
		}
	}
	if tx, err := db.BeginTx(ctx, nil); err == nil {
		note("rollback %v", tx.Rollback())
	}
	conn, err := db.Conn(ctx)
	note("conn %v", err)
	note("raw %v", conn.Raw(func(c any) error {
		note("raw is a %T", faultsql.Unwrap(c))
		return nil
	}))
	conn.Close()
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, err = db.ExecContext(done, "too late")
	note("exec too late: %v", err)
	note("close %v", db.Close())
	return seen
}

// Without a fault, a wrapped driver is asked the same and answers the same as
// the driver, be it one with everything, nothing, or what old drivers have;
// whether or not the request carries a scenario.
func TestTransparent(t *testing.T) {
	t.Parallel()
	in, carrying := injecting(t, "postgresql:other", fit.Fault{Abort: true})
	drivers := map[string]func(*calls) driver.Driver{
		"full": func(c *calls) driver.Driver { return full{bare{c}} },
		"bare": func(c *calls) driver.Driver { return bare{c} },
		"old":  func(c *calls) driver.Driver { return old{bare{c}} },
	}
	ways := map[string]struct {
		ctx     context.Context
		faults  fault.Injector
		options []faultsql.Option
	}{
		"off":                   {t.Context(), fault.Injector{}, nil},
		"no_scenario":           {t.Context(), in, nil},
		"spared":                {carrying, in, nil},
		"spared_per_operation":  {carrying, in, []faultsql.Option{faultsql.PerOperation()}},
		"nothing_per_operation": {t.Context(), in, []faultsql.Option{faultsql.PerOperation()}},
	}
	for name, newDriver := range drivers {
		for way, w := range ways {
			t.Run(name+"_"+way, func(t *testing.T) {
				t.Parallel()
				var direct, through calls
				want := script(w.ctx, open(t, newDriver(&direct)))
				got := script(w.ctx, open(t, faultsql.NewDriver(newDriver(&through), w.faults, "postgresql:orders", w.options...)))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("the caller sees (-direct +wrapped):\n%s", diff)
				}
				if diff := cmp.Diff(direct.all(), through.all()); diff != "" {
					t.Errorf("the driver is asked (-direct +wrapped):\n%s", diff)
				}
			})
		}
	}
}

// open opens a database as sql.Open does, without registering its driver for
// the whole process.
func open(t *testing.T, d driver.Driver) *sql.DB {
	t.Helper()
	if dc, ok := d.(driver.DriverContext); ok {
		c, err := dc.OpenConnector("dsn")
		if err != nil {
			t.Fatal(err)
		}
		return sql.OpenDB(c)
	}
	return sql.OpenDB(dsn{d})
}

type dsn struct{ driver driver.Driver }

func (c dsn) Connect(context.Context) (driver.Conn, error) { return c.driver.Open("dsn") }
func (c dsn) Driver() driver.Driver                        { return c.driver }
