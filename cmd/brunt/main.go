// Command brunt breaks requests on purpose and proves whether a service bore it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/brunt-go/brunt/cmd/brunt/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
