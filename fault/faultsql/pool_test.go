package faultsql_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/fault/faultsql"
	"github.com/brunt-go/brunt/fit"
)

// R76: a caller who goes away in the middle of a delay, at whichever operation,
// leaves a pool that is whole. The bubble fails for a goroutine that is left.
func TestConn_poolSurvives(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const conns, callers = 4, 16
		faults, ctx := injecting(t, point+":*", fit.Fault{Delay: 2 * time.Second})
		db, _ := database(t, faults, faultsql.PerOperation())
		defer db.Close()
		db.SetMaxOpenConns(conns)
		done := make(chan struct{})
		for i := range callers {
			for op, do := range operations {
				go func() {
					// From in the middle of the first delay to after the last.
					ctx, cancel := context.WithTimeout(ctx, time.Duration(i)*time.Second+time.Millisecond)
					defer cancel()
					if err := do(ctx, db); err == nil && i < 2 {
						t.Errorf("%s within %ds succeeded, want its delay of 2s cut short", op, i)
					}
					done <- struct{}{}
				}()
			}
		}
		for range callers * len(operations) {
			<-done
		}
		synctest.Wait()
		if s := db.Stats(); s.InUse != 0 || s.OpenConnections > conns {
			t.Errorf("the pool is left with %+v, want nothing in use", s)
		}
		for op, do := range operations {
			if err := do(t.Context(), db); err != nil {
				t.Errorf("%s afterwards: %v", op, err)
			}
		}
	})
}
