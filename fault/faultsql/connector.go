package faultsql

import (
	"context"
	"database/sql/driver"
	"io"

	"github.com/brunt-go/brunt/fault"
)

// Connector is a [driver.Connector] whose connections are injection points. It
// is safe for concurrent use if the one inside is.
type Connector struct {
	inner driver.Connector
	in    *injection
}

var (
	_ driver.Connector = (*Connector)(nil)
	_ io.Closer        = (*Connector)(nil)
)

// NewConnector returns inner with the injection point named point around
// everything its connections do, for [database/sql.OpenDB].
func NewConnector(inner driver.Connector, faults fault.Injector, point string, options ...Option) *Connector {
	return &Connector{inner, newInjection(faults, point, options)}
}

// Connect implements [driver.Connector].
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	v, err := c.in.begin(ctx, Connect)
	if err != nil {
		return nil, err
	}
	inner, err := c.inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if v.lost {
		_ = inner.Close() // the answer is lost anyway
		return nil, v.loss()
	}
	return c.in.wrap(inner), nil
}

// Driver implements [driver.Connector]: it is the driver inside.
func (c *Connector) Driver() driver.Driver { return c.inner.Driver() }

// Close closes the Connector inside, if it can be closed.
func (c *Connector) Close() error {
	if closer, ok := c.inner.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// Driver is a [driver.Driver] whose connections are injection points.
type Driver struct {
	inner driver.Driver
	in    *injection
}

var (
	_ driver.Driver        = (*Driver)(nil)
	_ driver.DriverContext = (*Driver)(nil)
)

// NewDriver returns inner with the injection point named point around
// everything its connections do, for [database/sql.Register].
func NewDriver(inner driver.Driver, faults fault.Injector, point string, options ...Option) *Driver {
	return &Driver{inner, newInjection(faults, point, options)}
}

// Open implements [driver.Driver]. It has no context, so it meets no fault;
// database/sql asks for a Connector instead.
func (d *Driver) Open(name string) (driver.Conn, error) {
	inner, err := d.inner.Open(name)
	if err != nil {
		return nil, err
	}
	return d.in.wrap(inner), nil
}

// OpenConnector implements [driver.DriverContext].
func (d *Driver) OpenConnector(name string) (driver.Connector, error) {
	dc, ok := d.inner.(driver.DriverContext)
	if !ok {
		return &Connector{named{d.inner, name}, d.in}, nil
	}
	inner, err := dc.OpenConnector(name)
	if err != nil {
		return nil, err
	}
	return &Connector{inner, d.in}, nil
}

// named is the Connector of a driver that has none.
type named struct {
	driver driver.Driver
	name   string
}

func (n named) Connect(context.Context) (driver.Conn, error) { return n.driver.Open(n.name) }
func (n named) Driver() driver.Driver                        { return n.driver }
