package httpserver

import (
	"context"

	"github.com/brunt-go/brunt"
)

// Main is [brunt.Main], with the same defaults, for a program whose main imports this
// package alone. It never returns. It panics when init is nil.
func Main(init func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error), opts ...brunt.Option) {
	brunt.Main(init, opts...)
}
