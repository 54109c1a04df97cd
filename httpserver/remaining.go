package httpserver

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/net/http/httpguts"
)

// CheckRemainingHeader says what is wrong with name, without naming the field.
func CheckRemainingHeader(name string) error {
	if name != "" && !httpguts.ValidHeaderFieldName(name) {
		return fmt.Errorf("%q, must be a header's name", name)
	}
	return nil
}

// maxDigits is how long a number of milliseconds may be: 115 days.
const maxDigits = 10

// remaining is how long a caller says that it still waits, by all the values of the
// header it says so with. Whatever is not one positive number says nothing.
func remaining(values []string) (time.Duration, bool) {
	if len(values) != 1 || len(values[0]) > maxDigits {
		return 0, false
	}
	var ms time.Duration
	for _, c := range []byte(values[0]) {
		if c < '0' || c > '9' {
			return 0, false
		}
		ms = ms*10 + time.Duration(c-'0')
	}
	return ms * time.Millisecond, ms > 0
}

// serveWithin is next.ServeHTTP, with a context that ends when left has passed.
func serveWithin(next http.Handler, w http.ResponseWriter, r *http.Request, left time.Duration) {
	ctx, end := within(r.Context(), left)
	defer end()
	inner := r.WithContext(ctx)
	// Layers outside want to know the route, and the server to remove the files of a form.
	defer func() { r.Pattern, r.MultipartForm = inner.Pattern, inner.MultipartForm }()
	next.ServeHTTP(w, inner)
}

// hurried is the context of a request whose caller said how long it waits. It has that
// deadline, and ends then as it does when a caller hangs up: canceled. Breakers make a
// difference between the two. Was it [context.DeadlineExceeded], the dependency would
// have failed, and whoever asks for a millisecond often enough would open a breaker that
// is everybody's.
type hurried struct {
	context.Context
	deadline time.Time
}

// Deadline implements context.Context.
func (h *hurried) Deadline() (time.Time, bool) { return h.deadline, true }

// within is parent with a deadline in left, which is positive, unless it has an earlier
// one. The function ends it.
func within(parent context.Context, left time.Duration) (context.Context, func()) {
	deadline := time.Now().Add(left)
	if earlier, ok := parent.Deadline(); ok && !earlier.After(deadline) {
		return parent, func() {}
	}
	ctx, cancel := context.WithCancelCause(parent)
	timer := time.AfterFunc(left, func() { cancel(errGone) })
	return &hurried{ctx, deadline}, func() {
		timer.Stop()
		cancel(nil)
	}
}

// errGone is why the context of a request ended whose caller waits no longer.
var errGone = fmt.Errorf("the caller's time is over: %w", context.Canceled)
