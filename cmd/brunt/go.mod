module github.com/brunt-go/brunt/cmd/brunt

go 1.26.0

require (
	github.com/brunt-go/brunt v0.0.0
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
)

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
)

replace github.com/brunt-go/brunt => ../..
