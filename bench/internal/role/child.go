package role

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Child is a process that plays a role.
type Child struct {
	// Addr is where a serving role serves.
	Addr string

	role string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
}

// Start starts a role. It is killed when ctx ends. profile is the folder a
// serving role leaves its CPU profile in, or "".
func Start(ctx context.Context, stderr io.Writer, profile string, role ...string) (*Child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &Child{role: strings.Join(role, " "), cmd: exec.CommandContext(ctx, self, append([]string{Word}, role...)...)}
	c.cmd.Stderr = stderr
	c.cmd.WaitDelay = time.Second
	if profile != "" {
		c.cmd.Env = append(os.Environ(), profileVar+"="+profile)
	}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = json.NewDecoder(out)
	return c, c.cmd.Start()
}

// StartServing starts a serving role and waits until it serves.
func StartServing(ctx context.Context, stderr io.Writer, profile string, role ...string) (*Child, error) {
	c, err := Start(ctx, stderr, profile, role...)
	if err != nil {
		return nil, err
	}
	var h Hello
	if err := c.Hear(&h); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	c.Addr = h.Addr
	return c, nil
}

// PID is the process's number.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// Tell tells a serving role something and returns its usage then.
func (c *Child) Tell(what string) (Usage, error) {
	var u Usage
	if _, err := io.WriteString(c.in, what+"\n"); err != nil {
		return u, fmt.Errorf("role %s: %w", c.role, err)
	}
	return u, c.Hear(&u)
}

// Hear reads the role's next line.
func (c *Child) Hear(v any) error {
	if err := c.out.Decode(v); err != nil {
		return fmt.Errorf("role %s: %w", c.role, err)
	}
	return nil
}

// Stop ends the role and waits for its end.
func (c *Child) Stop() error {
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		return fmt.Errorf("role %s: %w", c.role, err)
	}
	return nil
}

// Ask starts a role that says one thing and ends, and reads that.
func Ask(ctx context.Context, stderr io.Writer, v any, role ...string) error {
	c, err := Start(ctx, stderr, "", role...)
	if err != nil {
		return err
	}
	if err := c.Hear(v); err != nil {
		return errors.Join(err, c.Stop())
	}
	return c.Stop()
}
