package faultsql

import (
	"context"
	"database/sql/driver"
	"errors"
)

// conn is a connection whose operations are injection points. What the
// connection inside can't do, it declines the way database/sql expects, so that
// database/sql falls back as it would without it. It executes and queries
// through statements; see direct.go for connections that need none.
type conn struct {
	inner driver.Conn
	in    *injection
	// lost is whether the network failed. Nothing is sent over it any more, by a
	// transaction that goes on, and the pool must not use it again.
	lost bool
	// skipped is the visit of an operation that the driver declined to do
	// without a statement. database/sql prepares one next, and executes it.
	skipped *visit
}

var (
	_ driver.Conn               = (*conn)(nil)
	_ driver.ConnBeginTx        = (*conn)(nil)
	_ driver.ConnPrepareContext = (*conn)(nil)
	_ driver.NamedValueChecker  = (*conn)(nil)
	_ driver.Pinger             = (*conn)(nil)
	_ driver.SessionResetter    = (*conn)(nil)
	_ driver.Validator          = (*conn)(nil)
)

// Unwrap returns the driver's own connection of what [database/sql.Conn.Raw]
// gives, or driverConn itself when it isn't wrapped.
func Unwrap(driverConn any) any {
	if c, ok := driverConn.(interface{ unwrap() driver.Conn }); ok {
		return c.unwrap()
	}
	return driverConn
}

func (c *conn) unwrap() driver.Conn { return c.inner }

func (c *conn) Close() error { return c.inner.Close() }

func (c *conn) Ping(ctx context.Context) error {
	v, err := c.begin(ctx, Ping)
	if err != nil {
		return err
	}
	if pinger, ok := c.inner.(driver.Pinger); ok {
		if err := pinger.Ping(ctx); err != nil {
			return err
		}
	}
	return c.answer(v)
}

// begin evaluates op's point, waits and returns the visit, or the error the
// operation ends with before anything is sent.
func (c *conn) begin(ctx context.Context, op Operation) (visit, error) {
	if c.lost {
		return visit{}, driver.ErrBadConn
	}
	return c.in.begin(ctx, op)
}

// rows is the answer of a query.
func (c *conn) rows(ctx context.Context, v visit, r driver.Rows, err error) (driver.Rows, error) {
	if err := c.done(v, err); err != nil {
		if v.lost && r != nil {
			_ = r.Close() // the answer is lost anyway
		}
		return nil, err
	}
	return c.wrapRows(ctx, r), nil
}

// done is the error of an operation that ended with err.
func (c *conn) done(v visit, err error) error {
	if errors.Is(err, driver.ErrSkip) {
		c.skipped = &v
	}
	if err != nil {
		return err
	}
	return c.answer(v)
}

// answer throws the answer of a visit away, if it is to be lost.
func (c *conn) answer(v visit) error {
	if !v.lost {
		return nil
	}
	c.lost = true
	return v.loss()
}

func (c *conn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	skipped := c.skipped
	c.skipped = nil
	if c.lost {
		return nil, driver.ErrBadConn
	}
	inner, err := prepare(ctx, c.inner, query)
	if err != nil {
		return nil, err
	}
	s := &stmt{inner: inner, conn: c, visited: skipped}
	if converter, ok := inner.(driver.ColumnConverter); ok { //nolint:staticcheck // old drivers have no other
		return convertingStmt{s, converter}, nil
	}
	return s, nil
}

func prepare(ctx context.Context, inner driver.Conn, query string) (driver.Stmt, error) {
	if c, ok := inner.(driver.ConnPrepareContext); ok {
		return c.PrepareContext(ctx, query)
	}
	s, err := inner.Prepare(query)
	if err == nil && ctx.Err() != nil {
		_ = s.Close() // the context is done: nobody wants it
		return nil, ctx.Err()
	}
	return s, err
}

func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := c.inner.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

func (c *conn) ResetSession(ctx context.Context) error {
	c.skipped = nil
	if resetter, ok := c.inner.(driver.SessionResetter); ok {
		return resetter.ResetSession(ctx)
	}
	return nil
}

func (c *conn) IsValid() bool {
	if c.lost {
		return false
	}
	validator, ok := c.inner.(driver.Validator)
	return !ok || validator.IsValid()
}
