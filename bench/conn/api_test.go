package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The driver says what Toxiproxy's API takes, and turns its errors into ours.
func TestAPI(t *testing.T) {
	t.Parallel()
	var said []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		said = append(said, r.Method+" "+r.URL.Path+" "+string(body))
		switch r.URL.Path {
		case "/proxies":
			w.WriteHeader(201)
			io.WriteString(w, `{"listen":"127.0.0.1:4711"}`)
		case "/populate":
			io.WriteString(w, `{"proxies":[{},{}]}`)
		case "/metrics":
			io.WriteString(w, "# HELP go_goroutines\ngo_goroutines 17\n")
		case "/proxies/gone":
			http.Error(w, `{"error":"proxy not found"}`, 404)
		}
	}))
	defer server.Close()
	a, ctx := newAPI(strings.TrimPrefix(server.URL, "http://")), t.Context()
	if addr, err := a.create(ctx, "p", "up:1"); addr != "127.0.0.1:4711" || err != nil {
		t.Errorf("create = %q, %v", addr, err)
	}
	if err := a.populate(ctx, 2, "up:1"); err != nil {
		t.Error(err)
	}
	if err := a.populate(ctx, 3, "up:1"); err == nil {
		t.Error("two proxies made are no three")
	}
	slow := toxic{"slow", "latency", map[string]int{"latency": 5}}
	for _, err := range []error{a.add(ctx, "p", slow), a.change(ctx, "p", slow), a.remove(ctx, "p", "slow")} {
		if err != nil {
			t.Error(err)
		}
	}
	if n, ok := a.goroutines(ctx); n != 17 || !ok {
		t.Errorf("goroutines = %d, %v", n, ok)
	}
	err := a.call(ctx, http.MethodDelete, "/proxies/gone", nil, nil)
	if err == nil || !strings.Contains(err.Error(), "404 Not Found: {\"error\":\"proxy not found\"}") {
		t.Errorf("the error is %v", err)
	}
	want := []string{
		`POST /proxies {"name":"p","listen":"127.0.0.1:0","upstream":"up:1","enabled":true}`,
		`POST /proxies/p/toxics {"name":"slow","type":"latency","attributes":{"latency":5}}`,
		`PATCH /proxies/p/toxics/slow {"name":"slow","type":"latency","attributes":{"latency":5}}`,
		`DELETE /proxies/p/toxics/slow `,
	}
	all := strings.Join(said, "\n")
	for _, w := range want {
		if !strings.Contains(all, w) {
			t.Errorf("never said %s; said\n%s", w, all)
		}
	}
}

func TestGoroutinesIn(t *testing.T) {
	t.Parallel()
	if _, ok := goroutinesIn("go_threads 4\n"); ok {
		t.Error("found where there are none")
	}
}
