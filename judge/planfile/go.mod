module github.com/brunt-go/brunt/judge/planfile

go 1.26.0

replace github.com/brunt-go/brunt => ../..
