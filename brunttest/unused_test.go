package brunttest_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/network/toxic"
)

// A toxic that no connection passed by fails the test, which would be green for nothing.
func TestLink_unused(t *testing.T) {
	t.Parallel()
	add := func(l *brunttest.Link) { l.Add(slow("a", toxic.Upstream, time.Second)) }
	rows := []struct {
		name   string
		broken func(*brunttest.Host)
		want   string
	}{
		{"mistyped", func(h *brunttest.Host) { add(h.Link("test", "rtes")) },
			`brunttest: toxic "a" on test→rtes: no connection took this link; connections were shop→rates, test→rates`},
		{"the_other_way", func(h *brunttest.Host) { add(h.Link("rates", "test")) },
			`brunttest: toxic "a" on rates→test: no connection took this link; connections were shop→rates, test→rates`},
		{"gone_again", func(h *brunttest.Host) {
			l := h.Link("rates", "shop")
			add(l)
			l.Remove("a")
			add(l)
			l.Add(slow("b", toxic.Downstream, 1))
		},
			`brunttest: toxic "a" on rates→shop: no connection took this link; connections were shop→rates, test→rates
brunttest: toxic "b" on rates→shop: no connection took this link; connections were shop→rates, test→rates`},
		{"allowed", func(h *brunttest.Host) { l := h.Link("rates", "shop"); add(l); l.AllowUnused() }, ""},
		{"no_toxic", func(h *brunttest.Host) { h.Link("rates", "shop") }, ""},
		{"used", func(h *brunttest.Host) { add(h.Link("test", "rates")) }, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &witness{TB: t}
				h := brunttest.NewHost(w)
				h.Named("rates").Serve(":80", http.NotFoundHandler(), nil)
				row.broken(h)
				get(t, h.HTTPClient(), "http://rates/")
				get(t, h.Named("shop").HTTPClient(), "http://rates/")
				w.end()
				if got := w.said(); got != row.want {
					t.Errorf("the test failed with\n%s\nwant\n%s", got, row.want)
				}
			})
		})
	}
}

// A link that is made too late leaves the connections as they are, and says so.
func TestLink_tooLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &witness{TB: t}
		h := brunttest.NewHost(w)
		h.Serve("rates:80", http.NotFoundHandler(), nil)
		client := h.HTTPClient()
		get(t, client, "http://rates/")
		h.Link("test", "rates").Add(slow("a", toxic.Upstream, time.Second))
		get(t, client, "http://rates/")
		w.end()
		const want = `brunttest: toxic "a" on test→rates: no connection took this link; those of this way were opened before Host.Link made it, and it leaves them as they are`
		if got := w.said(); got != want {
			t.Errorf("the test failed with\n%s\nwant\n%s", got, want)
		}
	})
}
