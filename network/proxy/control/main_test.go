package control

import (
	"io"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain plays a role in a process of its own if it is told to: see
// process_test.go.
func TestMain(m *testing.M) {
	if role, ok := roles()[os.Getenv("BRUNT_TEST_ROLE")]; ok {
		go func() { // a test that is killed takes its processes with it
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
		role(os.Getenv("BRUNT_TEST_ADDRESS"))
		return
	}
	goleak.VerifyTestMain(m)
}
