package statuspage_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/proxy/statuspage"
)

// What a look at a thousand proxies costs, each time something has changed.
func BenchmarkOverview_thousand(b *testing.B) {
	server, err := control.NewServer(control.DefaultSettings())
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	off := false
	for i := range 1000 {
		if _, err := server.Create("", control.ProxySpec{Name: fmt.Sprint("service-", i), Listen: "127.0.0.1:0", Upstream: "127.0.0.1:1", Enabled: &off}); err != nil {
			b.Fatal(err)
		}
		if _, err := server.AddToxic("", fmt.Sprint("service-", i), control.ToxicSpec{Type: "noop"}, true); err != nil {
			b.Fatal(err)
		}
	}
	ui := statuspage.Handler(server)
	for b.Loop() {
		w := httptest.NewRecorder()
		ui.ServeHTTP(w, httptest.NewRequest("GET", "/ui", nil))
		b.SetBytes(int64(w.Body.Len()))
	}
}
