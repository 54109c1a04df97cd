package statuspage_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// stream follows a view's events over HTTP, until the test ends, and returns how
// long after its start each message came.
func (r *rig) stream(path string) func() []time.Duration {
	r.Helper()
	l, err := r.network.Listen("tcp", "ui:80")
	if err != nil {
		r.Fatal(err)
	}
	api := &http.Server{Handler: r.ui, WriteTimeout: 30 * time.Second}
	go func() { _ = api.Serve(l) }() // until it is closed
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return r.network.DialContext(ctx, network, "ui:80")
	}}}
	response, err := client.Get("http://localhost" + path)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() {
		response.Body.Close()
		client.CloseIdleConnections()
		api.Close()
	})
	if got := response.Header.Get("Content-Type"); got != "text/event-stream" {
		r.Fatalf("Content-Type %q", got)
	}
	begin := time.Now()
	var came []time.Duration
	go func() {
		lines := bufio.NewScanner(response.Body)
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "event: change") {
				came = append(came, time.Since(begin))
			}
		}
	}()
	synctest.Wait()
	return func() []time.Duration {
		synctest.Wait()
		return came
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := formRig(t)
		came := r.stream("/ui/events?session=&proxy=db")
		sleep := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		}
		sleep(100 * time.Second) // longer than any write may take
		// The first looks, which make a rate, and then nothing while nothing happens.
		if got := came(); len(got) != 3 || got[2] != 3*time.Second {
			t.Errorf("messages at %v, want at 1s, 2s and 3s", got)
		}
		r.post("/ui/sessions/a%2Fb/proxies/d%2Fe/enable")
		sleep(500 * time.Millisecond)
		if got := came(); len(got) > 3 {
			t.Errorf("messages at %v about another proxy", got)
		}
		// A hundred changes at once are two messages: the first at once, and one
		// for all the others.
		for range 50 {
			r.post(db + "/disable")
			r.post(db + "/enable")
		}
		sleep(time.Second)
		if got := came(); len(got) != 5 || got[3] != 100500*time.Millisecond || got[4] != 100750*time.Millisecond {
			t.Errorf("messages at %v, want at 1m40.5s and 1m40.75s", got)
		}
	})
}

// Bytes are no event. They are looked at once a second, and until the rate has
// come down to 0.
func TestStream_traffic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.echo("db:5432")
		r.create("", "db", "127.0.0.1:5000", "db:5432")
		c := r.say("127.0.0.1:5000", 1)
		came := r.stream("/ui/events")
		time.Sleep(5500 * time.Millisecond)
		if _, err := c.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		want := []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 6 * time.Second, 7 * time.Second, 8 * time.Second, 9 * time.Second}
		if got := came(); len(got) != len(want) || !slices.Equal(got, want) {
			t.Errorf("messages at %v, want at %v", got, want)
		}
	})
}

// A stream ends with its server.
func TestStream_close(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.stream("/ui/events")
		r.server.Close()
		synctest.Wait() // goleak and the bubble's end tell the rest
	})
}

// Throughput is over the last second or two, of what was looked at.
func TestRates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.echo("db:5432")
		r.create("", "db", "127.0.0.1:5000", "db:5432")
		rate := func(want string) {
			t.Helper()
			page := r.get(db).Body.String()
			if want := "<dt>sent upstream</dt><dd>" + want + "</dd>"; !strings.Contains(page, want) {
				_, got, _ := strings.Cut(page, "<dt>sent upstream</dt>")
				t.Errorf("after %v: %.30s, want %s", time.Now(), got, want)
			}
		}
		rate("–")
		r.say("127.0.0.1:5000", 3000)
		rate("–")
		time.Sleep(time.Second)
		rate("3.00\u00a0kB/s")
		time.Sleep(500 * time.Millisecond)
		rate("2.00\u00a0kB/s") // over a second and a half
		time.Sleep(500 * time.Millisecond)
		rate("0\u00a0B/s")
		time.Sleep(11 * time.Second)
		rate("–") // nobody looked for too long
		time.Sleep(time.Second)
		rate("0\u00a0B/s")
		// Another proxy of that name begins anew.
		if err := r.server.Delete("", "db"); err != nil {
			t.Fatal(err)
		}
		r.create("", "db", "127.0.0.1:5000", "db:5432")
		time.Sleep(time.Second)
		rate("–")
	})
}

// A thousand proxies make a page of the same size as fifty, and one is found.
func TestOverview_thousand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		specs := make([]control.ProxySpec, 1000)
		for i := range specs {
			specs[i] = control.ProxySpec{Name: "service-" + string(rune('a'+i/100)) + string(rune('a'+i/10%10)) + string(rune('a'+i%10)), Listen: "127.0.0.1:0", Upstream: "db:5432"}
		}
		if _, err := r.server.Populate("", specs, true); err != nil {
			t.Fatal(err)
		}
		r.toxic("", "service-jjj", control.ToxicSpec{Type: "noop"})
		rows := []struct {
			name, path string
			rows       int
			caption    string
		}{
			{"first", "/ui", 50, "1 to 50 of 1\u00a0000"},
			{"last", "/ui?page=19", 50, "951 to 1\u00a0000 of 1\u00a0000"},
			{"behind_the_last", "/ui?page=9999", 50, "951 to 1\u00a0000 of 1\u00a0000"},
			{"found", "/ui?q=SERVICE-j", 50, "1 to 50 of 100"},
			{"hurt", "/ui?toxics=1", 1, "1 to 1 of 1"},
		}
		for _, row := range rows {
			page := r.get(row.path).Body.String()
			if n := strings.Count(page, `<th scope="row"`); n != row.rows || !strings.Contains(page, row.caption+"</caption>") {
				t.Errorf("%s: %d rows, want %d, %s", row.name, n, row.rows, row.caption)
			}
			if len(page) > 64<<10 {
				t.Errorf("%s: %d bytes, want at most 64 KiB", row.name, len(page))
			}
			t.Logf("%s: %d bytes", row.name, len(page))
		}
		sound(t, r.get("/ui?page=3").Body.String())
		if page := r.get("/ui?page=3&toxics=&q=service").Body.String(); !strings.Contains(page, `<a href="/ui?page=2&amp;q=service">Previous</a> <a href="/ui?page=4&amp;q=service">Next</a>`) {
			t.Error("the links to the pages around are missing")
		}
		if page := r.get("/ui?q=nothing").Body.String(); !strings.Contains(page, "No proxy is like that.") {
			t.Error("the page does not say that nothing was found")
		}
	})
}
