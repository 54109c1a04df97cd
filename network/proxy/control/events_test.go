package control

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/brunt-go/brunt/network/proxy"
)

func TestServer_Events(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.must("POST", "/sessions/s/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, nil)
		r.must("POST", "/proxies", `{"name":"q","listen":"q:1","upstream":"nowhere:80"}`, nil)
		r.must("POST", "/sessions/s/proxies/p/toxics", `{"name":"x","type":"noop"}`, nil)
		c := r.dial("p:1")
		r.echo(c, "abc")
		c.Close()
		synctest.Wait()
		r.dial("q:1")
		synctest.Wait()
		r.must("DELETE", "/sessions/s/proxies/p/toxics/x", "", nil)
		r.must("DELETE", "/sessions/s/proxies/p", "", nil)
		r.server.Close() // so that events end

		follow := func(f Filter) (got []string) {
			f.After = new(uint64)
			for e := range r.server.Events(t.Context(), f) {
				got = append(got, fmt.Sprint(e.Proxy, " ", e.Type))
			}
			return got
		}
		want := []string{
			"p started", "p created", "q started", "q created", "p toxic_added", "p opened", "p hit", "p closed",
			"q opened", "q dial_failed", "q closed", "p toxic_removed", "p stopped",
		}
		if got := follow(Filter{}); !slices.Equal(got[:min(len(got), len(want))], want) {
			t.Errorf("events %q\nwant %q", got, want)
		}
		if got := follow(Filter{Session: "s", Type: proxy.ToxicAdded, Proxy: "p", Toxic: "x"}); !slices.Equal(got, []string{"p toxic_added"}) {
			t.Errorf("filtered: %q", got)
		}
		closed := r.server.events.events[8]
		if closed.Sent != 3 || closed.Received != 3 || closed.Connection != 1 || closed.Session != "s" {
			t.Errorf("the end of a connection is told as %+v, want 3 bytes each way", closed)
		}
	})
}

// A reader that falls behind is told how, and holds up nobody.
func TestHub_behind(t *testing.T) {
	t.Parallel()
	h := newHub()
	for range kept + 10 {
		h.publish("", proxy.Event{Type: proxy.Opened})
	}
	events, _, _ := h.after(3)
	if len(events) != kept+1 || events[0].Type != Lost || events[0].ID != 10 || events[1].ID != 11 {
		t.Errorf("%d events from %+v, want one that says up to 10 are lost and %d more", len(events), events[0], kept)
	}
	if events, _, _ := h.after(kept + 99); len(events) != kept+1 {
		t.Errorf("after an ID of another server %d events, want all there are", len(events))
	}
	if events, _, _ := h.after(kept + 10); len(events) != 0 {
		t.Errorf("after the last ID %d events, want none", len(events))
	}
}

// The stream says an event's ID, type and data, and goes on where a reader left it.
func TestHandler_events(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.must("POST", "/proxies", `{"name":"p","listen":"p:1","upstream":"server:80"}`, nil)
		r.must("DELETE", "/proxies/p", "", nil)
		r.server.Close() // ends the stream after what there is
		got := r.request("GET", "/events?after=1&proxy=p", "")
		want := []string{"id: 2\nevent: created\n", "id: 3\nevent: stopped\n", "id: 4\nevent: deleted\n"}
		parts := strings.Split(strings.TrimPrefix(got.Body, ": events\n\n"), "\n\n")
		if got.Header.Get("Content-Type") != "text/event-stream" || len(parts) != 4 {
			t.Fatalf("%d parts as %s: %s", len(parts), got.Header.Get("Content-Type"), got.Body)
		}
		for i, w := range want {
			if !strings.HasPrefix(parts[i], w+"data: {") {
				t.Errorf("part %d is %q, want it to begin with %q", i, parts[i], w)
			}
		}
		if got := r.request("GET", "/events?after=x", ""); got.Status != 400 {
			t.Errorf("after=x: %d, want 400", got.Status)
		}
	})
}
