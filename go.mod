module github.com/brunt-go/brunt

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	pgregory.net/rapid v1.3.0
)

require github.com/HdrHistogram/hdrhistogram-go v1.4.0
