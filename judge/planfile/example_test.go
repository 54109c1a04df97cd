package planfile_test

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/planfile"
)

const loan = `version: 1
name: loan
services:
  catalog: {exec: [./catalog]}
  loan:    {exec: [./loan, "--catalog={{.Proxies.catalog.URL}}"]}
proxies:
  catalog: {upstream: "{{.Services.catalog.Addr}}"}
load:
  requests: 200
  http: {url: "{{.Services.loan.URL}}/lend?index={{.Index}}"}
outcomes:
  full: status == 200 && json.status == "full"
  degraded: status == 200
faults:
  late: {at: catalog, share: 20%, delay: 240ms}
verdict:
  require: [fallback_engaged, dropped_share <= noise]
`

func ExampleParse() {
	e, err := planfile.Parse("loan.yaml", []byte(loan))
	if err != nil {
		fmt.Println(err)
		return
	}
	ok, err := e.Outcomes[0].Holds(experiment.Answer{Status: 200, Body: []byte(`{"status":"full"}`)})
	fmt.Println(e.Name, e.Faults[0].Name, e.Faults[0].Rule.Share, ok, err)
	// Output: loan late 0.2 true <nil>
}

// Everything that is wrong is reported at once.
func ExampleErrors() {
	const mistaken = `version: 1
name: loan
proxies:
  catalog: {upstream: 127.0.0.1:9001, protcol: http}
load:
  requests: many
  http: {url: "http://127.0.0.1:9000/?index={{.Idx}}"}
outcomes:
  full: status == 200 && jsn.status == "full"
faults:
  late: {at: catalogue, delay: 240}
verdict:
  require: [fallback_engage]
`
	_, err := planfile.Parse("loan.yaml", []byte(mistaken))
	fmt.Println(err)
	// Output:
	// loan.yaml:4:39: proxies.catalog.protcol: unknown key, did you mean `protocol`? want listen, protocol or upstream
	// loan.yaml:6:13: load.requests: "many", want a whole number from 1 to 10000000
	// loan.yaml:7:45: load.http.url: nothing is named .Idx here, want Services, Proxies, Index or Trace
	// loan.yaml:9:26: outcomes.full: nothing is named jsn here, did you mean `json`? want body, error, headers, json, status or took
	// loan.yaml:11:14: faults.late.at: no proxy is named catalogue, want catalog
	// loan.yaml:11:32: faults.late.delay: 240, want a duration such as 240ms, or a mapping with header or body
	// loan.yaml:13:13: verdict.require[0]: "fallback_engage" is no oracle, did you mean `fallback_engaged`? want coverage, fallback_engaged or timeout_engaged, or a condition
}

func ExampleRead() {
	_, err := planfile.Read("no/such/loan.yaml")
	var problems planfile.Errors
	if errors.As(err, &problems) {
		fmt.Println(problems[0].File, problems[0].Line, problems[0].Column, errors.Is(err, fs.ErrNotExist))
	}
	// Output: no/such/loan.yaml 0 0 true
}
