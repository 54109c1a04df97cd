// Command brunt breaks requests on purpose and proves whether a service bore it.
package main

import (
	"os"

	"github.com/brunt-go/brunt/cmd/brunt/internal/cli"
)

func main() { os.Exit(cli.Main()) }
