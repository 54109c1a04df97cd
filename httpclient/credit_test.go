package httpclient

import (
	"sync"
	"testing"
)

// However many attempts begin at once, each may make a connection.
func TestConnections_credit(t *testing.T) {
	t.Parallel()
	for range 200 {
		var c connections
		var begun, done sync.WaitGroup
		begun.Add(50)
		for range 50 {
			done.Go(func() {
				c.attempts.Add(1)
				c.earn()
				begun.Done()
				begun.Wait()
				if !c.spend() {
					t.Error("no credit for an attempt")
				}
			})
		}
		done.Wait()
	}
}
