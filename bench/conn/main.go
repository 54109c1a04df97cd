// Command conn measures proxies of connections side by side, in one run: brunt,
// Toxiproxy, HAProxy, socat and a bare copying loop in Go, each a process of its
// own, over loopback:
//
//	go run ./bench/conn
//
// It prints figures, ratios, and which of brunt's targets are met. What is not
// installed is left out, and said so.
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
