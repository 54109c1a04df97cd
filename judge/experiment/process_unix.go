//go:build unix

package experiment

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// group is a process group that does not outlive this process, however it ends.
//
// Its leader is a shell that reads a pipe whose other end only we hold. When we
// are killed, the kernel closes our end, the shell reads its end and kills the
// group, itself with it. A command joins the group between fork and exec, so
// there is no moment at which it runs and is not in it.
type group struct {
	leader *exec.Cmd
	pipe   io.Closer
}

// guard ignores what a group is asked to stop with, so that it outlives its
// members; its own end comes with the pipe's.
const guard = `trap "" TERM INT HUP QUIT; while read -r _; do :; done; kill -KILL 0`

func newGroup() (*group, error) {
	leader := exec.Command("/bin/sh", "-c", guard) //nolint:noctx // it ends with its pipe
	leader.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := leader.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := leader.Start(); err != nil {
		return nil, fmt.Errorf("start the guard of a service: %w", err)
	}
	return &group{leader, pipe}, nil
}

// join makes cmd a member of the group. It must not have been started.
func (g *group) join(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.leader.Process.Pid}
}

// id is the group's number.
func (g *group) id() int { return g.leader.Process.Pid }

// stop asks every member to end.
func (g *group) stop() error {
	err := syscall.Kill(-g.leader.Process.Pid, syscall.SIGTERM)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

// kill ends every member and the group.
func (g *group) kill() {
	g.pipe.Close()
	// The guard always ends by its own SIGKILL, so its error says nothing.
	_ = g.leader.Wait()
}
