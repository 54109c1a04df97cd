package faultsql_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faultsql"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
)

// The commit happens, and its answer is lost: does the service look whether the
// order is there before it places it again?
func Example() {
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		fmt.Println(err)
		return
	}
	settings := fault.DefaultSettings()
	settings.Decoder = codec
	faults, err := fault.New(settings)
	if err != nil {
		fmt.Println(err)
		return
	}
	connector, _ := full{bare{&calls{}}}.OpenConnector("postgres://orders") // your driver's
	db := sql.OpenDB(faultsql.NewConnector(connector, faults, "postgresql:orders", faultsql.PerOperation()))
	defer db.Close()

	b, _ := codec.Encode(baggage.Baggage{}, fit.Scenario{Rules: []fit.Rule{
		{Point: "postgresql:orders:commit", Fault: fit.Fault{Lost: true}},
	}})
	ctx := baggage.ContextWithBaggage(context.Background(), b)

	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = tx.ExecContext(ctx, "insert into orders values (7)")
	fmt.Println("insert:", err)
	err = tx.Commit()
	fmt.Println("commit:", err, errors.Is(err, fit.ErrLost))
	// Output:
	// insert: <nil>
	// commit: fit: injected loss of the answer at postgresql:orders:commit true
}
