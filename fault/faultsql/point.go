package faultsql

import (
	"context"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fit"
)

// Operation is what is done with a database.
type Operation string

// The operations that are points.
const (
	Connect Operation = "connect"
	Ping    Operation = "ping"
	Query   Operation = "query"
	Exec    Operation = "exec"
	Begin   Operation = "begin"
	Commit  Operation = "commit"
	// Rows is reading the first of a query's rows, with PerOperation alone.
	Rows Operation = "rows"
)

// Option changes how operations are evaluated.
type Option func(*injection)

// PerOperation makes each operation a point of its own, <system>:<name> followed
// by a colon and the operation, so that a rule can choose one. A rule for all of
// them ends in *.
//
// Default: all operations share one point.
func PerOperation() Option { return func(in *injection) { in.perOperation = true } }

// injection is what every part of a wrapped driver shares.
type injection struct {
	faults       fault.Injector
	name         string
	perOperation bool
}

func newInjection(faults fault.Injector, point string, options []Option) *injection {
	in := &injection{faults: faults, name: point}
	for _, option := range options {
		option(in)
	}
	return in
}

// visit is one visit of an operation to its point.
type visit struct {
	point string
	lost  bool // what is answered
}

// begin evaluates op's point, waits and returns the visit, or the error the
// operation ends with before anything is sent.
func (in *injection) begin(ctx context.Context, op Operation) (visit, error) {
	point := in.name
	if in.perOperation && in.faults.Carries(ctx) {
		point += ":" + string(op)
	}
	f := in.faults.Eval(ctx, point)
	return visit{point, f.Lost}, fault.Before(ctx, point, f)
}

// loss is the error of a visit whose answer is thrown away.
func (v visit) loss() error { return &fault.InjectedError{Point: v.point, Err: fit.ErrLost} }
