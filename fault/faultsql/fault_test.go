package faultsql_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faultsql"
	"github.com/brunt-go/brunt/fit"
)

const point = "postgresql:orders"

// Every operation, on a connection that is there already.
var operations = map[faultsql.Operation]func(context.Context, *sql.DB) error{
	faultsql.Ping: func(ctx context.Context, db *sql.DB) error { return db.PingContext(ctx) },
	faultsql.Exec: func(ctx context.Context, db *sql.DB) error {
		_, err := db.ExecContext(ctx, "do")
		return err
	},
	faultsql.Query: func(ctx context.Context, db *sql.DB) error {
		rows, err := db.QueryContext(ctx, "do")
		if err == nil {
			rows.Close()
		}
		return err
	},
	faultsql.Begin: func(ctx context.Context, db *sql.DB) error {
		tx, err := db.BeginTx(ctx, nil)
		if err == nil {
			err = tx.Rollback()
		}
		return err
	},
	faultsql.Commit: func(ctx context.Context, db *sql.DB) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		return tx.Commit()
	},
	faultsql.Rows: func(ctx context.Context, db *sql.DB) error {
		rows, err := db.QueryContext(ctx, "do")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
		}
		return rows.Err()
	},
}

// database returns a database of connections around full's, one of which is
// idle, and what it was asked since.
func database(t *testing.T, faults fault.Injector, options ...faultsql.Option) (*sql.DB, *calls) {
	t.Helper()
	log := &calls{}
	c, err := full{bare{log}}.OpenConnector("dsn")
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(faultsql.NewConnector(c, faults, point, options...))
	if err := db.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	log.mu.Lock()
	log.log = nil
	log.mu.Unlock()
	return db, log
}

// asked are the operations the database did.
func asked(log *calls) (ops []string) {
	for _, line := range log.all() {
		switch op, _, _ := strings.Cut(line, " "); op {
		case "ping", "exec", "query", "begin", "commit", "rollback", "connect":
			ops = append(ops, op)
		}
	}
	return ops
}

// R87, R88, X4: what a fault does to each operation, at the point of all and at
// one of its own.
func TestConn_faults(t *testing.T) {
	t.Parallel()
	rows := []struct {
		op    faultsql.Operation
		abort []string // what the database does of an operation that is aborted
		lost  []string // and of one whose answer is lost
		gone  bool     // an abort, and a delay cut short, cost the connection
	}{
		{faultsql.Ping, nil, []string{"ping"}, false},
		{faultsql.Exec, nil, []string{"exec"}, false},
		{faultsql.Query, nil, []string{"query"}, false},
		{faultsql.Begin, nil, []string{"begin", "rollback"}, false},
		{faultsql.Commit, []string{"begin", "rollback"}, []string{"begin", "commit"}, true},
		{faultsql.Rows, []string{"query"}, []string{"query"}, true},
	}
	kinds := []struct {
		name  string
		fault fit.Fault
		want  string
		is    error
		took  time.Duration
	}{
		{"delay", fit.Fault{Delay: time.Second}, "", nil, time.Second},
		{"abort", fit.Fault{Abort: true}, "fit: injected failure at postgresql:orders:", fit.ErrInjected, 0},
		{"reply", fit.Fault{Reply: fit.Reply{Status: 503}}, "fit: injected failure at postgresql:orders:", fit.ErrInjected, 0}, // X3
		{"cut", fit.Fault{Delay: 9 * time.Second}, "fit: injected delay at postgresql:orders:", context.DeadlineExceeded, 5 * time.Second},
		{"lost", fit.Fault{Lost: true}, "fit: injected loss of the answer at postgresql:orders:", fit.ErrLost, 0},
	}
	for _, row := range rows {
		for _, kind := range kinds {
			t.Run(string(row.op)+"_"+kind.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					faults, ctx := injecting(t, point+":"+string(row.op), kind.fault)
					ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
					defer cancel()
					db, log := database(t, faults, faultsql.PerOperation())
					defer db.Close()
					start := time.Now()
					err := operations[row.op](ctx, db)
					if took := time.Since(start); took != kind.took {
						t.Errorf("took %v, want %v", took, kind.took)
					}
					if kind.want == "" {
						if err != nil {
							t.Errorf("err = %v, want none", err)
						}
						return
					}
					var ie *fault.InjectedError
					if !errors.As(err, &ie) || !strings.HasPrefix(err.Error(), kind.want+string(row.op)) || !errors.Is(err, kind.is) {
						t.Errorf("err = %v, want %s%s", err, kind.want, row.op)
					}
					synctest.Wait()
					want, gone := row.abort, row.gone
					if kind.name == "lost" {
						want, gone = row.lost, true
					}
					if got := asked(log); !slices.Equal(got, want) {
						t.Errorf("the database did %q, want %q", got, want)
					}
					if got := db.Stats().OpenConnections == 0; got != gone {
						t.Errorf("the connection is gone: %v, want %v", got, gone)
					}
				})
			})
		}
	}
}

// One point for all operations, as a rule for a dependency has it.
func TestConn_onePoint(t *testing.T) {
	t.Parallel()
	faults, ctx := injecting(t, point, fit.Fault{Abort: true})
	for op, do := range operations {
		db, log := database(t, faults)
		if err := do(ctx, db); !errors.Is(err, fit.ErrInjected) || len(asked(log)) != 0 {
			t.Errorf("%s: err = %v, the database did %q, want an abort and nothing", op, err, asked(log))
		}
		if err := do(t.Context(), db); err != nil {
			t.Errorf("%s without a scenario: %v", op, err)
		}
		db.Close()
	}
}

// A new connection is a point too, and what it opened is closed if it is lost.
func TestConnector_faults(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		fault fit.Fault
		want  string
		asked []string
	}{
		"abort": {fit.Fault{Abort: true}, "fit: injected failure at postgresql:orders:connect", nil},
		"lost":  {fit.Fault{Lost: true}, "fit: injected loss of the answer at postgresql:orders:connect", []string{"connect dsn", "close"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults, ctx := injecting(t, point+":connect", row.fault)
			log := &calls{}
			connector := faultsql.NewConnector(fullConnector{full{bare{log}}, "dsn"}, faults, point, faultsql.PerOperation())
			db := sql.OpenDB(connector)
			defer db.Close()
			if err := db.PingContext(ctx); err == nil || err.Error() != row.want {
				t.Errorf("err = %v, want %s", err, row.want)
			}
			if got := log.all(); !slices.Equal(got, row.asked) {
				t.Errorf("the database saw %q, want %q", got, row.asked)
			}
			if _, ok := connector.Driver().(full); !ok {
				t.Errorf("Driver() is a %T, want the one inside", connector.Driver())
			}
		})
	}
}

// A statement is a point each time it is executed.
func TestStmt_faults(t *testing.T) {
	t.Parallel()
	faults, ctx := injecting(t, point, fit.Fault{Abort: true})
	db, log := database(t, faults)
	defer db.Close()
	stmt, err := db.PrepareContext(t.Context(), "prepared")
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	if _, err := stmt.ExecContext(ctx); !errors.Is(err, fit.ErrInjected) {
		t.Errorf("exec: err = %v, want an abort", err)
	}
	if _, err := stmt.QueryContext(ctx); !errors.Is(err, fit.ErrInjected) {
		t.Errorf("query: err = %v, want an abort", err)
	}
	if got := asked(log); len(got) != 0 {
		t.Errorf("the database did %q, want nothing", got)
	}
	if _, err := stmt.ExecContext(t.Context()); err != nil {
		t.Errorf("without a scenario: %v", err)
	}
}

// An operation is one visit, also where the driver declines it and database/sql
// prepares a statement for it.
func TestConn_oneVisit(t *testing.T) {
	t.Parallel()
	for name, newDriver := range map[string]func(*calls) driver.Driver{
		"full": func(c *calls) driver.Driver { return full{bare{c}} },
		"bare": func(c *calls) driver.Driver { return bare{c} },
		"old":  func(c *calls) driver.Driver { return old{bare{c}} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults, ctx := injecting(t, "another", fit.Fault{})
			db := open(t, faultsql.NewDriver(newDriver(&calls{}), faults, point, faultsql.PerOperation()))
			defer db.Close()
			recorder := tracetest.NewSpanRecorder()
			provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
			ctx, span := provider.Tracer("test").Start(ctx, "request")
			arg := 1 // old's statements take one
			_, execErr := db.ExecContext(ctx, "skip", arg)
			rows, queryErr := db.QueryContext(ctx, "skip", arg)
			if execErr != nil || queryErr != nil {
				t.Fatal(execErr, queryErr)
			}
			for rows.Next() {
			}
			rows.Close()
			span.End()
			var got []string
			for _, e := range recorder.Ended()[0].Events() {
				for _, kv := range e.Attributes {
					if kv.Key == attribute.Key("brunt.fit.point") {
						got = append(got, strings.TrimPrefix(kv.Value.AsString(), point+":"))
					}
				}
			}
			if want := []string{"connect", "exec", "query", "rows"}; !slices.Equal(got, want) {
				t.Errorf("visits %q, want %q", got, want)
			}
		})
	}
}

// A driver's Open has no context and meets no fault.
func TestDriver_Open(t *testing.T) {
	t.Parallel()
	faults, _ := injecting(t, "*", fit.Fault{Abort: true})
	c, err := faultsql.NewDriver(full{bare{&calls{}}}, faults, point).Open("dsn")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := faultsql.Unwrap(c).(bareConn); !ok {
		t.Errorf("Unwrap gives a %T, want the driver's own connection", faultsql.Unwrap(c))
	}
	tx, err := c.Begin() //nolint:staticcheck // the old way in
	if err != nil || tx.Commit() != nil {
		t.Errorf("Begin = %v, %v", tx, err)
	}
	if s, err := c.Prepare("x"); err != nil || s.NumInput() != -1 {
		t.Errorf("Prepare = %v, %v", s, err)
	}
	if got := faultsql.Unwrap(7); got != 7 {
		t.Errorf("Unwrap(7) = %v", got)
	}
	var closed calls
	if err := faultsql.NewConnector(fullConnector{full{bare{&closed}}, ""}, faults, point).Close(); err != nil || len(closed.all()) != 1 {
		t.Errorf("Close = %v, %q", err, closed.all())
	}
	_, err = faultsql.NewDriver(broken{}, faults, point).Open("dsn")
	_, connErr := faultsql.NewDriver(broken{}, faults, point).OpenConnector("dsn")
	if !errors.Is(err, io.EOF) || !errors.Is(connErr, io.EOF) {
		t.Errorf("a broken driver opens: %v, %v", err, connErr)
	}
}

type broken struct{}

func (broken) Open(string) (driver.Conn, error)               { return nil, io.EOF }
func (broken) OpenConnector(string) (driver.Connector, error) { return nil, io.EOF }
