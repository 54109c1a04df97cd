package brunt

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// PanicError is a panic of one of the App's functions or Services. It does not unwrap
// to what was panicked with: a panic is a defect, whatever its value is.
type PanicError struct {
	// Value is what was panicked with.
	Value any
	// Stack is the stack of the goroutine that panicked.
	Stack []byte
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// errGoexit is for a function that ended its goroutine, as testing.T's FailNow does.
var errGoexit = errors.New("ended its goroutine (runtime.Goexit) instead of returning")

// outcome is what a call came to.
type outcome[T any] struct {
	value T
	err   error
}

// call calls f in a goroutine of its own. A panic of f or of the error it returns, and
// the end of its goroutine, are errors.
func call[T any](f func() (T, error)) <-chan outcome[T] {
	done := make(chan outcome[T], 1)
	go func() {
		out := outcome[T]{err: errGoexit}
		defer func() {
			if p := recover(); p != nil {
				out.err = &PanicError{p, debug.Stack()}
			}
			done <- out
		}()
		v, err := f()
		ask(err)
		out = outcome[T]{v, err}
	}()
	return done
}

// ask asks err all that it is asked later on. A nil pointer that was returned as an
// error mostly panics then, and is to do so where a panic is the fault of who returned it.
func ask(err error) {
	if err != nil {
		_ = err.Error()
		_ = errors.As(err, new(*PanicError))
	}
}

// within receives from c, for as long as d at most.
func within[T any](d time.Duration, c <-chan T) (v T, ok bool) {
	select {
	case v := <-c:
		return v, true
	default:
	}
	if d <= 0 {
		return v, false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case v := <-c:
		return v, true
	case <-timer.C:
		return v, false
	}
}

// soonAfter is d and a moment more, for those who notice the end of their time as we do,
// and are about to return. There is nothing longer than the longest Duration.
func soonAfter(d time.Duration) time.Duration {
	const moment = 100 * time.Millisecond
	return max(d, d+moment)
}
