package brunt_test

import (
	"context"
	"testing"

	"github.com/brunt-go/brunt"
)

func TestApp_nothingToServe(t *testing.T) {
	t.Parallel()
	app := brunt.NewApp(func(context.Context, *brunt.Setup) ([]brunt.Service, error) { return nil, nil })
	if got := app.Run(t.Context(), brunt.Process{}); got.Code() != 0 {
		t.Errorf("Run() = %v, want exit status 0", got)
	}
}
