package control

import (
	"context"
	"encoding/json"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/network/memnet"
)

// Nothing a caller sends makes the server panic, or answer with something that is
// neither a success nor an error it explains.
func FuzzHandler(f *testing.F) {
	for _, path := range []string{"/proxies", "/populate", "/proxies/p", "/proxies/p/toxics", "/proxies/p/toxics/x", "/sessions/s"} {
		f.Add(path, `{"name":"q","upstream":"u:1","enabled":false,"lease":"1h","seed":7}`)
		f.Add(path, `[{"name":"q","upstream":"u:1","enabled":false,"toxics":[{"type":"slicer","attributes":{"average_size":3}}]}]`)
		f.Add(path, `{"type":"latency","stream":"upstream","toxicity":0.5,"attributes":{"latency":5,"jitter":"x"},"connections":{"first":2},"source":"::/0"}`)
	}
	f.Fuzz(func(t *testing.T, path, body string) {
		network := memnet.New()
		listen := func(_ context.Context, n, address string) (net.Listener, error) { return network.Listen(n, address) }
		s, err := NewServer(DefaultSettings(), WithListener(listen), WithDialer(network.DialContext))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		no := false
		if _, err := s.Create("", ProxySpec{Name: "p", Listen: "p:1", Upstream: "127.0.0.1:1", Enabled: &no}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddToxic("", "p", ToxicSpec{Name: "x", Type: "noop"}, true); err != nil {
			t.Fatal(err)
		}
		h := s.Handler()
		for _, method := range []string{"POST", "PATCH", "DELETE"} {
			r := httptest.NewRequest(method, "/", strings.NewReader(body))
			r.Host, r.URL.Path = "localhost", path
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			var e Error
			if w.Code >= 400 && w.Code != 405 && !strings.HasPrefix(w.Body.String(), "404 page") &&
				(json.Unmarshal(w.Body.Bytes(), &e) != nil || e.Message == "") {
				t.Errorf("%s %s = %d %q, want an error with a message", method, path, w.Code, w.Body)
			}
		}
	})
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(`[{"name":"p","upstream":"u:1","toxics":[{"type":"latency","attributes":{"latency":5}}]}]`), true)
	f.Add([]byte(`[{"name":"p","upstream":"u:1","enabled":null,"lease":{"length":"3s"}},{}]`), false)
	f.Fuzz(func(t *testing.T, data []byte, strict bool) {
		specs, warnings, err := ParseConfig(data, strict)
		if err != nil && (len(specs) > 0 || len(warnings) > 0) {
			t.Errorf("ParseConfig = %v and %v", specs, err)
		}
		if strict && len(warnings) > 0 {
			t.Errorf("strict, and yet it warns: %q", warnings)
		}
	})
}
