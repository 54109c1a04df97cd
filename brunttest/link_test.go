package brunttest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/network/toxic"
)

func slow(name string, stream toxic.Stream, d time.Duration) toxic.Spec {
	return toxic.NewSpec(name, stream, &toxic.Latency{Latency: d})
}

// Toxics come, change and go under a connection that stays, and each takes exactly as
// long as it says.
func TestLink(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := brunttest.NewHost(t)
		h.Named("payments").Serve(":8080", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, r.RemoteAddr)
		}), nil)
		link := h.Link("orders", "payments")
		client, test := h.Named("orders").HTTPClient(), h.HTTPClient()
		first := get(t, client, "http://payments:8080/")
		steps := []struct {
			name string
			do   func()
			want time.Duration
		}{
			{"nothing", func() {}, 0},
			{"there", func() { link.Add(slow("there", toxic.Upstream, 30*time.Millisecond)) }, 30 * time.Millisecond},
			{"and_back", func() { link.Add(slow("back", toxic.Downstream, 5*time.Second)) }, 5030 * time.Millisecond},
			{"changed", func() { link.Update(slow("back", toxic.Downstream, 1)) }, 30*time.Millisecond + 1},
			{"removed", func() { link.Remove("there", "back") }, 0},
		}
		for _, step := range steps {
			step.do()
			begin := time.Now()
			if again := get(t, client, "http://payments:8080/"); again != first {
				t.Errorf("%s: another connection", step.name)
			}
			if took := time.Since(begin); took != step.want {
				t.Errorf("%s: took %v, want %v", step.name, took, step.want)
			}
			begin = time.Now()
			get(t, test, "http://payments:8080/")
			if took := time.Since(begin); took != 0 {
				t.Errorf("%s: the test's own call took %v", step.name, took)
			}
		}
		if toxics := link.Toxics(); len(toxics) != 0 {
			t.Errorf("left are %v", toxics)
		}
		if status := link.Status(); len(status) != 1 || status[0].Upstream.Read == 0 || status[0].Upstream.Read != status[0].Upstream.Written {
			t.Errorf("Status() = %+v", status)
		}
	})
}

// The error of a link is the error of a network.
func TestLink_reset(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := brunttest.NewHost(t)
		l := listen(t, h, "payments:8080")
		defer l.Close()
		link := h.Link("test", "payments")
		c, err := h.DialContext(t.Context(), "tcp", "payments:8080")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if got := c.RemoteAddr().String(); got != "payments:8080" {
			t.Errorf("the caller is connected to %s", got)
		}
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		link.Add(toxic.NewSpec("reset", toxic.Downstream, &toxic.ResetPeer{}))
		io.WriteString(server, "never arrives")
		if _, err := io.ReadAll(c); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("read: %v, want ECONNRESET", err)
		}
		if hits := link.Toxics()[0].Hits; hits != 1 {
			t.Errorf("the toxic hit %d connections, want 1", hits)
		}
	})
}

// A connection that was there before the link stays as it is; so does the other way.
func TestLink_onlyItsOwn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := brunttest.NewHost(t)
		for _, name := range []string{"orders", "payments"} {
			h.Named(name).Serve(":8080", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), nil)
		}
		before := h.Named("orders").HTTPClient()
		get(t, before, "http://payments:8080/")
		h.Link("orders", "payments").Add(slow("slow", toxic.Upstream, time.Second))
		rows := []struct {
			name string
			get  func()
			want time.Duration
		}{
			{"before", func() { get(t, before, "http://payments:8080/") }, 0},
			{"after", func() { get(t, h.Named("orders").HTTPClient(), "http://payments:8080/") }, time.Second},
			{"the_other_way", func() { get(t, h.Named("payments").HTTPClient(), "http://orders:8080/") }, 0},
		}
		for _, row := range rows {
			begin := time.Now()
			row.get()
			if took := time.Since(begin); took != row.want {
				t.Errorf("%s: took %v, want %v", row.name, took, row.want)
			}
		}
	})
}

// Connections that hang in a toxic end with the test.
func TestLink_hangsAtTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := brunttest.NewHost(t)
		h.Named("payments").Serve(":8080", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), nil)
		h.Link("test", "payments").Add(toxic.NewSpec("gone", toxic.Downstream, &toxic.Blackhole{}))
		client := h.HTTPClient()
		client.Timeout = 14 * time.Second
		begin := time.Now()
		_, err := client.Get("http://payments:8080/")
		if took := time.Since(begin); err == nil || took != 14*time.Second {
			t.Errorf("gave up after %v with %v", took, err)
		}
	})
}

func TestLink_wrong(t *testing.T) {
	t.Parallel()
	w := &witness{TB: t}
	h := brunttest.NewHost(w)
	link := h.Link("orders", "payments")
	link.Add(slow("slow", toxic.Upstream, time.Second))
	w.fatal(func() { link.Add(slow("slow", toxic.Upstream, time.Second)) })
	w.fatal(func() { link.Add(slow("late", "sideways", time.Second)) })
	w.fatal(func() { link.Update(slow("late", toxic.Upstream, time.Second)) })
	w.fatal(func() { link.Remove("late") })
	w.end()
	want := `brunttest: toxic already exists: "slow"
brunttest: stream: "sideways", must be upstream or downstream
brunttest: toxic not found: "late"
brunttest: toxic not found: "late"
brunttest: toxic "slow" on orders→payments: no connection took this link; there was no connection at all`
	if got := w.said(); got != want {
		t.Errorf("the test failed with\n%s\nwant\n%s", got, want)
	}
}

// There is one link for each pair and direction.
func TestLink_perPair(t *testing.T) {
	t.Parallel()
	h := brunttest.NewHost(t)
	if h.Link("orders", "payments") != h.Link("Orders", "payments") {
		t.Error("a link has two sides")
	}
	if h.Link("orders", "payments") == h.Link("payments", "orders") {
		t.Error("both ways are one link")
	}
	if h.Link("test", "payments") != h.Link("localhost", "payments") {
		t.Error("the test has two links")
	}
}
