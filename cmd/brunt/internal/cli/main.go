package cli

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// Main runs the command line of this process and returns the exit status. The
// first SIGINT or SIGTERM lets it finish in good order, a second ends it at once.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	args := os.Args[1:]
	if strings.HasPrefix(filepath.Base(os.Args[0]), "toxiproxy-server") { // a link of that name
		args = append([]string{"proxy"}, args...)
	}
	return Run(ctx, args, os.Stdin, os.Stdout, os.Stderr)
}
