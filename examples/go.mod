module github.com/brunt-go/brunt/examples

go 1.26.0

replace github.com/brunt-go/brunt => ..
