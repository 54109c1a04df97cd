//go:build !unix

package main

import "os/exec"

// inGroup does nothing: there are no process groups.
func inGroup(*exec.Cmd) {}

// endGroup kills what cmd started.
func endGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

// fileLimit is how many file descriptors a process may be given.
func fileLimit() uint64 { return 1 << 20 }
