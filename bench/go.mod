module github.com/brunt-go/brunt/bench

go 1.26.0

replace github.com/brunt-go/brunt => ..
