package main

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

// child is a process that plays a role.
type child struct {
	role string
	addr string // where a serving role serves
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
}

// start starts a role. It is killed when ctx ends.
func start(ctx context.Context, stderr io.Writer, profile string, role ...string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{role: strings.Join(role, " "), cmd: exec.CommandContext(ctx, self, append([]string{roleWord}, role...)...)}
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

// startServing starts a serving role and waits until it serves.
func startServing(ctx context.Context, stderr io.Writer, profile string, role ...string) (*child, error) {
	c, err := start(ctx, stderr, profile, role...)
	if err != nil {
		return nil, err
	}
	var h hello
	if err := c.hear(&h); err != nil {
		return nil, errors.Join(err, c.stop())
	}
	c.addr = h.Addr
	return c, nil
}

// tell tells a serving role something and returns its usage then.
func (c *child) tell(what string) (usage, error) {
	var u usage
	if _, err := io.WriteString(c.in, what+"\n"); err != nil {
		return u, fmt.Errorf("role %s: %w", c.role, err)
	}
	return u, c.hear(&u)
}

// hear reads the role's next line.
func (c *child) hear(v any) error {
	if err := c.out.Decode(v); err != nil {
		return fmt.Errorf("role %s: %w", c.role, err)
	}
	return nil
}

// stop ends the role and waits for its end.
func (c *child) stop() error {
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		return fmt.Errorf("role %s: %w", c.role, err)
	}
	return nil
}

// ask starts a role that says one thing and ends, and reads that.
func ask(ctx context.Context, stderr io.Writer, v any, role ...string) error {
	c, err := start(ctx, stderr, "", role...)
	if err != nil {
		return err
	}
	if err := c.hear(v); err != nil {
		return errors.Join(err, c.stop())
	}
	return c.stop()
}
