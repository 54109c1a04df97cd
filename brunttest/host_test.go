package brunttest_test

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/brunttest"
)

// Who a dial gets to.
func TestHost_names(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		on     string // the machine that listens; "" for the test's own
		listen string
		from   string
		dial   string
		want   bool
	}{
		{"by_name", "", "orders:80", "", "orders:80", true},
		{"case", "", "Orders:80", "", "oRDERS:80", true},
		{"another_name", "", "orders:80", "", "payments:80", false},
		{"another_port", "", "orders:80", "", "orders:81", false},
		{"local", "", "127.0.0.1:80", "", "localhost:80", true},
		{"no_name_is_every_name", "", ":80", "", "orders:80", true},
		{"from_a_named_machine", "", "orders:80", "payments", "orders:80", true},
		{"to_a_named_machine", "orders", ":80", "", "orders:80", true},
		{"between_named_machines", "orders", "0.0.0.0:80", "payments", "orders:80", true},
		{"a_named_machine_has_its_name", "orders", "localhost:80", "payments", "orders:80", true},
		{"whatever_it_listens_on", "orders", "other:80", "payments", "orders:80", true},
		{"itself", "orders", ":80", "orders", "localhost:80", true},
		{"localhost_is_another", "orders", ":80", "payments", "localhost:80", false},
		{"not_the_test's_localhost", "", ":80", "payments", "localhost:80", false},
		{"the_test_by_its_name", "", ":80", "payments", "test:80", true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			h := brunttest.NewHost(t)
			machine := func(name string) *brunttest.Host {
				if name == "" {
					return h
				}
				return h.Named(name)
			}
			l := listen(t, machine(row.on), row.listen)
			defer l.Close()
			c, err := machine(row.from).DialContext(t.Context(), "tcp", row.dial)
			if err == nil {
				defer c.Close()
			}
			if got := err == nil; got != row.want {
				t.Errorf("dial: %v, want a connection: %v", err, row.want)
			}
			if !row.want && !errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("dial: %v, want ECONNREFUSED", err)
			}
		})
	}
}

func TestHost_Listen(t *testing.T) {
	t.Parallel()
	h := brunttest.NewHost(t)
	l := listen(t, h, "orders:80")
	defer l.Close()
	if _, err := h.Listen("tcp", "orders:80"); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("the second: %v, want EADDRINUSE", err)
	}
	if _, err := h.Listen("tcp", "orders"); err == nil {
		t.Error("an address without a port was taken")
	}
	free := listen(t, h, "payments:0")
	defer free.Close()
	if got := free.Addr().String(); got != "payments:20000" {
		t.Errorf("port 0 is %s", got)
	}
	c, err := h.DialContext(t.Context(), "tcp", free.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	l.Close()
	again := listen(t, h, "orders:80")
	again.Close()
}

// Listening is told when somebody listens, before or after it is asked.
func TestHost_Listening(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := brunttest.NewHost(t)
		before, name, never := h.Listening("orders:9443"), h.Listening("shop:9443"), h.Listening("orders:9444")
		go func() {
			time.Sleep(3 * time.Second)
			l, err := h.Listen("tcp", ":9443")
			if err != nil {
				t.Error(err)
				return
			}
			time.Sleep(time.Second)
			l.Close()
		}()
		begin := time.Now()
		<-before
		<-name
		<-h.Listening("orders:9443")
		if took := time.Since(begin); took != 3*time.Second {
			t.Errorf("listening after %v, want 3s", took)
		}
		select {
		case <-never:
			t.Error("somebody listens on a port nobody has")
		case <-time.After(2 * time.Second):
		}
	})
}

func TestHost_files(t *testing.T) {
	t.Parallel()
	h := brunttest.NewHost(t, nil,
		brunttest.WithFiles(map[string][]byte{"/etc/orders/token": []byte("old"), "/etc/orders/ca.pem": []byte("ca")}),
		brunttest.WithFiles(map[string][]byte{"/etc/orders/token": []byte("new")}),
	)
	got, err := h.Host().ReadFile("/etc/orders/token")
	if err != nil || string(got) != "new" {
		t.Errorf("ReadFile() = %q, %v", got, err)
	}
	got[0] = 'X'
	if again, _ := h.Host().ReadFile("/etc/orders/token"); string(again) != "new" {
		t.Errorf("a reader changed the file to %q", again)
	}
	if _, err := h.Host().ReadFile("/etc/passwd"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file the host does not have: %v", err)
	}
}

// What is still open when the test ends fails it, by name, and is closed.
func TestHost_leftOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &witness{TB: t}
		h := brunttest.NewHost(w)
		l := listen(t, h, "orders:80")
		orders, err := h.Named("payments").DialContext(t.Context(), "tcp", "orders:80")
		if err != nil {
			t.Fatal(err)
		}
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		go io.Copy(io.Discard, orders) // would hang for ever
		w.end()
		want := []string{
			"brunttest: a connection from payments to orders:80 was still open when the test ended",
			"brunttest: orders:80 was still listened on when the test ended",
		}
		if got := w.said(); got != strings.Join(want, "\n") {
			t.Errorf("the test failed with\n%s\nwant\n%s", got, strings.Join(want, "\n"))
		}
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("the listener was not closed: %v", err)
		}
	})
}

// What somebody is about to close is not held against them.
func TestHost_closingLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &witness{TB: t}
		h := brunttest.NewHost(w)
		l := listen(t, h, "orders:80")
		go func() {
			time.Sleep(100 * time.Millisecond)
			l.Close()
		}()
		w.end()
		if got := w.said(); got != "" {
			t.Error(got)
		}
	})
}

func TestHost_badNames(t *testing.T) {
	t.Parallel()
	w := &witness{TB: t}
	h := brunttest.NewHost(w)
	for _, name := range []string{"", "test", "localhost", "127.0.0.1"} {
		w.fatal(func() { h.Named(name) })
	}
	w.fatal(func() { h.Listening("orders") })
	w.end()
	want := `brunttest: a machine cannot be named ""
brunttest: a machine cannot be named "test"
brunttest: a machine cannot be named "localhost"
brunttest: a machine cannot be named "127.0.0.1"
brunttest: Listening("orders"): address orders: missing port in address`
	if got := w.said(); got != want {
		t.Errorf("the test failed with\n%s\nwant\n%s", got, want)
	}
}
