package statuspage_test

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/internal/golden"
	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

// fill makes a state in which every part of the page has something to show.
func (r *rig) fill() {
	r.Helper()
	r.echo("db:5432")
	r.create("", "postgres", "127.0.0.1:25432", "db:5432")
	r.create("", "redis", "127.0.0.1:26379", "nobody:6379")
	r.create("ci/7", "postgres", "127.0.0.1:25433", "db:5432")
	if _, err := r.server.Change("ci/7", "postgres", control.ProxySpec{Enabled: ptr(false)}); err != nil {
		r.Fatal(err)
	}
	r.toxic("", "postgres", control.ToxicSpec{Type: "latency", Attributes: json.RawMessage(`{"latency":100,"on_connect":true}`)})
	r.toxic("", "postgres", control.ToxicSpec{
		Name: "few", Type: "corrupt", Stream: ptr("upstream"), Toxicity: ptr(0.125), Attributes: json.RawMessage(`{"offsets":[3]}`),
		Selection: toxic.Selection{
			Connections: toxic.Ordinals{First: 2, Last: 9, Every: 3}, AfterBytes: 2048, Count: 4, Source: netip.MustParsePrefix("10.0.0.0/8"),
		},
		Lease: control.Length(time.Minute),
	})
	r.toxic("", "postgres", control.ToxicSpec{Name: "once", Type: "noop", Selection: toxic.Selection{Count: 1}})
	// The first look at the counters, for a rate.
	r.get("/ui")
	r.say("127.0.0.1:25432", 100).Close()
	r.say("127.0.0.1:25432", 123456)
	if c, err := r.network.Dial("tcp", "127.0.0.1:26379"); err == nil {
		c.Close()
	}
	time.Sleep(2 * time.Second)
	synctest.Wait()
}

// Every part of the page for a fixed state.
func TestHandler_goldens(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, path string
		status     int
	}{
		{"overview", "/ui", http.StatusOK},
		{"overview_filtered", "/ui?q=CI%2F7&done=reset", http.StatusOK},
		{"proxy", "/ui/proxies/postgres?done=added", http.StatusOK},
		{"proxy_of_a_session", "/ui/sessions/ci%2F7/proxies/postgres", http.StatusOK},
		{"missing", "/ui/proxies/nobody", http.StatusNotFound},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				r.fill()
				w := r.get(row.path)
				if w.Code != row.status {
					t.Errorf("status %d, want %d", w.Code, row.status)
				}
				golden.Check(t, w.Body.Bytes(), "html")
				sound(t, w.Body.String())
			})
		})
	}
}

func TestHandler_empty(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		page := newRig(t).get("/ui").Body.String()
		for _, want := range []string{"There is no proxy yet", `id="create-box" open`, "<code>42</code>"} {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %s", want)
			}
		}
		if strings.Contains(page, "Reset everything") {
			t.Error("there is nothing to reset")
		}
		sound(t, page)
	})
}

// What was done is said by words of the page's own, whatever a link says.
func TestHandler_doneFromElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		page := newRig(t).get("/ui?done=Your+password+was+stolen").Body.String()
		if !strings.Contains(page, `role="status"></p>`) || strings.Contains(page, "stolen") {
			t.Error("a link from elsewhere made the page say something")
		}
	})
}

func TestHandler_slash(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newRig(t).get("/ui/")
		if w.Code != http.StatusFound || w.Header().Get("Location") != "/ui" {
			t.Errorf("GET /ui/: %d to %q, want 302 to /ui", w.Code, w.Header().Get("Location"))
		}
	})
}

// What happens to connections is told when it is asked for, in words.
func TestHandler_events(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.fill()
		told := []string{
			"Connection 1 from 127.0.0.1:32768</span>", `<bdi class="name">latency_downstream</bdi> hit connection 1</span>`,
			"Connection 1 ended: 100 B up, 100 B down</span>",
		}
		for path, want := range map[string]bool{"/ui": false, "/ui?events=all": true, "/ui/proxies/postgres": false, "/ui/proxies/postgres?events=all": true} {
			page := r.get(path).Body.String()
			for _, text := range told {
				if got := strings.Contains(page, text); got != want {
					t.Errorf("%s tells %q: %v, want %v", path, text, got, want)
				}
			}
			if !strings.Contains(page, `<bdi class="name">once</bdi> added</span>`) {
				t.Errorf("%s does not tell that a toxic was added", path)
			}
			sound(t, page)
		}
		if page := r.get("/ui/sessions/ci%2F7/proxies/postgres?events=all").Body.String(); strings.Contains(page, "Connection 1") {
			t.Error("a proxy of a session has the events of another of its name")
		}
	})
}

// The same event again and again is one line.
func TestHandler_eventsAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.create("", "db", "127.0.0.1:5000", "nobody:1")
		for range 30 {
			if c, err := r.network.Dial("tcp", "127.0.0.1:5000"); err == nil {
				c.Close()
			}
			synctest.Wait()
		}
		page := r.get("/ui").Body.String()
		if n := strings.Count(page, "Upstream not reached"); n != 1 || !strings.Contains(page, `<span class="tag">30 times</span>`) {
			t.Errorf("%d lines, want one that says 30 times", n)
		}
	})
}

// No view and no form waits for a connection: time stands still, though nobody
// reads and everything is held back.
func TestHandler_stuckConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.echo("db:5432")
		r.create("", "db", "127.0.0.1:5000", "db:5432")
		r.toxic("", "db", control.ToxicSpec{Type: "timeout"})
		r.toxic("", "db", control.ToxicSpec{Type: "timeout", Stream: ptr("upstream")})
		for range 20 {
			c, err := r.network.Dial("tcp", "127.0.0.1:5000")
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := c.Write(make([]byte, 1000)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		begin := time.Now()
		for _, path := range []string{"/ui", db, db + "?events=all"} {
			if w := r.get(path); w.Code != http.StatusOK {
				t.Errorf("GET %s: %d", path, w.Code)
			}
		}
		for _, path := range []string{"/toxics/timeout_downstream/remove", "/disable", "/enable", "/delete"} {
			if w := r.post(db + path); w.Code != http.StatusSeeOther {
				t.Errorf("POST %s: %d", path, w.Code)
			}
		}
		if took := time.Since(begin); took != 0 {
			t.Errorf("it took %v, want nothing", took)
		}
	})
}

// Of many connections the newest are shown, and how many there are.
func TestHandler_manyConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.echo("db:5432")
		r.create("", "db", "127.0.0.1:5000", "db:5432")
		for range 25 {
			r.say("127.0.0.1:5000", 1).Close()
		}
		for range 30 {
			r.say("127.0.0.1:5000", 1)
		}
		page := r.get(db).Body.String()
		for _, want := range []string{"30 open, 25 of the last ended; 40 of them shown", `id="connection-55"`, `id="connection-36"`, `id="connection-25"`, `id="connection-6"`} {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %s", want)
			}
		}
		for _, not := range []string{`id="connection-35"`, `id="connection-5"`} {
			if strings.Contains(page, not) {
				t.Errorf("the page has %s", not)
			}
		}
	})
}
