module github.com/brunt-go/brunt/examples

go 1.26.0

replace github.com/brunt-go/brunt => ..

require (
	github.com/brunt-go/brunt v0.0.0-00010101000000-000000000000
	github.com/google/go-cmp v0.7.0
	go.opentelemetry.io/otel v1.47.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	go.opentelemetry.io/otel/trace v1.47.0 // indirect
)
