package fault_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

// newInjector is what a service does at start.
func newInjector() (fault.Injector, error) {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		return fault.Injector{}, err
	}
	settings := fault.DefaultSettings()
	settings.Decoder = codec
	return fault.New(settings)
}

// aborted is the context of a request whose scenario aborts point.
func aborted(point string) context.Context {
	codec, _ := jsonscenario.New("acme.fault")
	ctx, err := fit.ContextWithScenario(context.Background(), codec, fit.Scenario{Rules: []fit.Rule{
		{Point: point, Fault: fit.Fault{Abort: true}},
	}})
	if err != nil {
		panic(err)
	}
	return ctx
}

func Example() {
	faults, err := newInjector()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := aborted("postgresql:orders")
	fmt.Println(faults.Eval(ctx, "postgresql:orders").Abort, faults.Eval(ctx, "http:payments:8443").Abort)

	ctx, stripped := faults.Strip(ctx)
	fmt.Println(stripped, faults.Eval(ctx, "postgresql:orders").Abort)
	// Output:
	// true false
	// true false
}

// Any call can be an injection point.
func ExampleDo() {
	faults, err := newInjector()
	if err != nil {
		fmt.Println(err)
		return
	}
	session := func(context.Context) (string, error) { return "kermit", nil }

	user, err := fault.Do(context.Background(), faults, "redis:sessions", session)
	fmt.Println(user, err)

	_, err = fault.Do(aborted("redis:*"), faults, "redis:sessions", session)
	fmt.Println(err, errors.Is(err, fit.ErrInjected))
	// Output:
	// kermit <nil>
	// fit: injected failure at redis:sessions true
}

// A point that fails in its own way looks at the fault itself.
func ExampleInjector_Eval() {
	faults, err := newInjector()
	if err != nil {
		fmt.Println(err)
		return
	}
	queryOrders := func(ctx context.Context) error {
		const point = "postgresql:orders"
		f := faults.Eval(ctx, point)
		if err := f.Wait(ctx); err != nil {
			return &fault.InjectedError{Point: point, Err: err}
		}
		if f.Abort {
			return &fault.InjectedError{Point: point}
		}
		return nil // query the database
	}
	fmt.Println(queryOrders(aborted("postgresql:orders")))
	// Output: fit: injected failure at postgresql:orders
}
