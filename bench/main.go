// Command bench measures brunt beside its peers, in one run on one machine, and
// prints ratios: figures of two machines, or of two days, say little.
//
// Everything runs over loopback or in memory. Servers and proxies are processes
// of their own: the command starts itself again, in a role.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/brunt-go/brunt/bench/internal/role"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == role.Word {
		os.Exit(role.Play(os.Args[2:], play))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
