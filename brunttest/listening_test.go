package brunttest_test

import (
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/brunttest"
)

// Who waits in vain finds in the log for what, and what there is.
func TestHost_Listening_inVain(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name    string
		listen  []string
		from    string
		address string
		want    string
	}{
		{"nobody", nil, "", "quotes:8080", "brunttest: waited 10s for quotes:8080; nobody listens"},
		{"another_port", []string{"quotes:81", ":8443", "quotes:80"}, "", "quotes:8080", "brunttest: waited 10s for quotes:8080; listening: quotes:80, quotes:81, test:8443"},
		{"itself", nil, "shop", "localhost:80", "brunttest: waited 10s for shop:80; nobody listens"},
		{"somebody", []string{"quotes:80"}, "", "quotes:80", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &witness{TB: t}
				h := brunttest.NewHost(w)
				for _, address := range row.listen {
					l := listen(t, h, address)
					defer l.Close()
				}
				from := h
				if row.from != "" {
					from = h.Named(row.from)
				}
				from.Listening(row.address)
				time.Sleep(10*time.Second - 1)
				if got := w.logged(); got != "" {
					t.Errorf("logged too early: %s", got)
				}
				time.Sleep(2 * time.Nanosecond)
				if got := w.logged(); got != row.want {
					t.Errorf("logged %q, want %q", got, row.want)
				}
			})
		})
	}
}

// Nothing is logged of a wait that has ended, or whose test has.
func TestHost_Listening_notInVain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &witness{TB: t}
		h := brunttest.NewHost(w)
		h.Listening("orders:80")
		h.Listening("orders:81")
		time.Sleep(9 * time.Second)
		listen(t, h, "orders:80").Close()
		w.end()
		time.Sleep(9 * time.Second)
		if got := w.logged() + w.said(); got != "" {
			t.Errorf("logged %q", got)
		}
	})
}

// The error of a dial nobody took is a network's, and says where somebody listens.
func TestHost_refused(t *testing.T) {
	t.Parallel()
	h := brunttest.NewHost(t)
	dial := func(want string) {
		t.Helper()
		_, err := h.DialContext(t.Context(), "tcp", "rate:80")
		var op *net.OpError
		var call *os.SyscallError
		var number syscall.Errno
		switch {
		case err == nil || err.Error() != want:
			t.Errorf("dial: %v, want %s", err, want)
		case !errors.As(err, &op) || !errors.As(err, &call) || op.Addr.String() != "rate:80":
			t.Errorf("dial: %#v, want a *net.OpError of a *os.SyscallError", err)
		case !errors.Is(err, syscall.ECONNREFUSED) || !errors.As(err, &number) || op.Timeout():
			t.Errorf("dial: %v, want ECONNREFUSED", err)
		}
	}
	dial("dial tcp rate:80: connect: connection refused; nobody listens")
	for _, address := range []string{"rates:81", "rates:80"} {
		l := listen(t, h, address)
		defer l.Close()
	}
	dial("dial tcp rate:80: connect: connection refused; listening: rates:80, rates:81")
}
