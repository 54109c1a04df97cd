package jsonscenario_test

import (
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

// An edge, or a test, writes a scenario into a request's baggage.
func Example() {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, err := fit.ContextWithScenario(context.Background(), codec, fit.Scenario{Rules: []fit.Rule{
		{Point: "http:payments:8443", Fault: fit.Fault{Abort: true}},
		{Point: "*", Fault: fit.Fault{Delay: 250 * time.Millisecond}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(baggage.FromContext(ctx).Member("acme.fault").Value())
	// Output:
	// {"rules":[{"point":"http:payments:8443","abort":true},{"point":"*","delay_ms":250}]}
}

// What is wrong with a scenario is said by rule and field.
func ExampleParse() {
	_, err := jsonscenario.Parse(`{"rules":[{"point":"kafka:orders","abort":true},{"point":"http:*","abrot":true}]}`)
	fmt.Println(err)
	_, err = jsonscenario.Parse(`{"rules":[{"point":"http:*","delay_ms":1.5}]}`)
	fmt.Println(err)
	// Output:
	// jsonscenario: rules[1].abrot: unknown field
	// jsonscenario: rules[0].delay_ms: 1.5, must be a whole number of milliseconds, 0 to 9223372036854
}
