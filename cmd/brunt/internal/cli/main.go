package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Main runs the command line of this process and returns the exit status. The
// first SIGINT or SIGTERM lets it finish in good order, a second ends it at once.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Run(ctx, asCalled(os.Args[0], os.Args[1:]), os.Stdin, os.Stdout, os.Stderr)
}
