module github.com/brunt-go/brunt/cmd/brunt

go 1.26.0

replace github.com/brunt-go/brunt => ../..
