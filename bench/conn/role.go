package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"

	"github.com/brunt-go/brunt/bench/internal/role"
)

// The roles of the command's own processes.
const (
	roleUpstream = "upstream" // answers requests
	roleSplice   = "splice"   // the bare copying loop; an upstream's address follows
	roleKeep     = "keep"     // runs another command; the file for its words and the command follow
)

func play(args []string) error {
	switch {
	case len(args) == 0:
		return errors.New("no role is named")
	case args[0] == roleUpstream:
		return (&role.Serving{Serve: each(answer), Begin: nothing}).Play(args)
	case args[0] == roleSplice && len(args) == 2:
		return (&role.Serving{Serve: each(splicer(args[1])), Begin: nothing}).Play(args)
	case args[0] == roleKeep && len(args) > 2:
		return keep(args[1], args[2:])
	}
	return fmt.Errorf("there is no role %q", args)
}

func nothing() error { return nil }

// each serves every connection in a goroutine of its own.
func each(serve func(net.Conn)) func(net.Listener) error {
	return func(l net.Listener) error {
		for {
			conn, err := l.Accept()
			if err != nil {
				return err
			}
			go serve(conn)
		}
	}
}

// answer answers one connection's requests until it ends.
func answer(conn net.Conn) {
	defer conn.Close()
	var frame [frameSize]byte
	for {
		if _, err := io.ReadFull(conn, frame[:]); err != nil {
			return
		}
		var err error
		if frame[0] == askBytes {
			err = send(conn, binary.BigEndian.Uint64(frame[1:]))
		} else {
			_, err = conn.Write(frame[:])
		}
		if err != nil {
			return
		}
	}
}

// zeros is what is sent: one block that all connections share.
var zeros [256 << 10]byte

func send(w io.Writer, n uint64) error {
	for n > 0 {
		size := min(n, uint64(len(zeros)))
		if _, err := w.Write(zeros[:size]); err != nil {
			return err
		}
		n -= size
	}
	return nil
}

// splicer is the peer in Go: a goroutine for each direction, each an io.Copy
// between sockets, which the kernel carries out on Linux.
func splicer(upstream string) func(net.Conn) {
	return func(client net.Conn) {
		defer client.Close()
		server, err := net.Dial("tcp", upstream) //nolint:noctx // loopback answers at once
		if err != nil {
			return
		}
		defer server.Close()
		done := make(chan struct{})
		go func() {
			defer close(done)
			pass(server, client)
		}()
		pass(client, server)
		<-done
	}
}

func pass(to, from net.Conn) {
	_, _ = io.Copy(to, from) // however it ends, that direction has
	if tcp, ok := to.(*net.TCPConn); ok {
		_ = tcp.CloseWrite()
	}
}

// kept is what a keeper says: the process group it keeps.
type kept struct{ Group int }

// keep runs a command in a process group of its own until our input ends, and
// then ends the group: nothing is left behind, whatever became of the bench.
func keep(words string, command []string) error {
	file, err := os.Create(words)
	if err != nil {
		return err
	}
	defer file.Close()
	cmd := exec.Command(command[0], command[1:]...) //nolint:noctx // it ends with our input
	cmd.Stdout, cmd.Stderr = file, file
	cmd.Env = append(os.Environ(), "LOG_LEVEL=error") // Toxiproxy's, which else writes a line a connection
	inGroup(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	var how error
	ended := make(chan struct{})
	go func() {
		how = cmd.Wait()
		close(ended)
	}()
	over := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // however it ends, nobody is there any more
		close(over)
	}()
	if err := json.NewEncoder(os.Stdout).Encode(kept{cmd.Process.Pid}); err != nil {
		return errors.Join(err, endGroup(cmd))
	}
	select {
	case <-ended:
		<-over
		return fmt.Errorf("%s ended by itself: %w", command[0], how)
	case <-over:
		err := endGroup(cmd)
		<-ended
		return err
	}
}
