// Command storm shows a retry storm: a service becomes slow, 50 clients give up after 300
// ms and try again, and what they wait in between decides what hits the service. It takes
// some 9 seconds; its test runs the same in fake time.
package main

import (
	"context"
	"fmt"
	"os"
	"sync"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: storm (it takes no arguments)")
		os.Exit(64)
	}
	fmt.Fprintln(os.Stderr, "50 clients for some 9 seconds, for each kind of waiting at once")
	results := make([]*service, len(kinds))
	errs := make([]error, len(kinds))
	var wg sync.WaitGroup
	for i, k := range kinds {
		wg.Go(func() { results[i], errs[i] = storm(context.Background(), k) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	print(os.Stdout, results)
}
