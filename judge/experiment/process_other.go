//go:build !unix

package experiment

import (
	"os/exec"
)

// group ends the one command in it. Where there are no process groups, what a
// command starts by itself is its own to end.
type group struct{ cmd *exec.Cmd }

func newGroup() (*group, error) { return &group{}, nil }

func (g *group) join(cmd *exec.Cmd) { g.cmd = cmd }

func (g *group) id() int { return 0 }

func (g *group) stop() error { return g.cmd.Process.Kill() }

func (g *group) kill() {
	if g.cmd != nil && g.cmd.Process != nil {
		_ = g.cmd.Process.Kill() // refused only when it has ended
	}
}
