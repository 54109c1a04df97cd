package brunt_test

import (
	"context"
	"errors"
	"testing"

	"github.com/brunt-go/brunt"
)

// A nil field of a Host is the operating system's.
func TestHost(t *testing.T) {
	t.Parallel()
	r := newRig(brunt.WithHost(brunt.Host{}))
	status := r.run(t.Context(), func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		l, err := s.Host.Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		conn, err := s.Host.Dial(ctx, "tcp", l.Addr().String())
		if err != nil {
			return nil, err
		}
		defer conn.Close()
		_, err = s.Host.ReadFile("go.mod")
		return nil, err
	})
	if status.Code() != 0 {
		t.Errorf("Run() = %v", status)
	}
}

func TestStatus_String(t *testing.T) {
	t.Parallel()
	if got, want := (brunt.Status{}).String(), "exit status 0"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	r := newRig()
	failing := newService(r, "a")
	failing.serve = func(context.Context, <-chan struct{}) error { return errBroken }
	status := r.serving(t, failing)
	if got, want := status.String(), "exit status 1: service 1 of 1 (a): broken"; got != want || !errors.Is(status.Err(), errBroken) {
		t.Errorf("String() = %q, want %q", got, want)
	}
}
