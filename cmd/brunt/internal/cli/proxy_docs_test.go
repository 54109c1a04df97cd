package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/brunt-go/brunt/internal/golden"
	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

func page(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(docsRoot + "/docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// rowsBelow are the rows of the tables below a heading, down to the next heading.
func rowsBelow(t *testing.T, text, heading string) (rows [][]string) {
	t.Helper()
	_, rest, found := strings.Cut(text, "\n"+heading+"\n")
	if !found {
		t.Fatalf("no heading %q", heading)
	}
	rest, _, _ = strings.Cut(rest, "\n#")
	header := true
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			header = true
			continue
		}
		if !header {
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
		if strings.HasPrefix(line, "|---") {
			header = false
		}
	}
	return rows
}

// served is the daemon's handler over a server with a proxy, a toxic and a lease.
func served(t *testing.T, change func(*control.Settings)) (http.Handler, *control.Server) {
	t.Helper()
	s := control.DefaultSettings()
	if change != nil {
		change(&s)
	}
	server, err := control.NewServer(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	if _, err := server.Create("", control.ProxySpec{Name: "redis", Listen: "127.0.0.1:0", Upstream: "localhost:1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := server.AddToxic("", "redis", control.ToxicSpec{Name: "slow", Type: "latency"}, true); err != nil {
		t.Fatal(err)
	}
	daemon := defaultDaemonSettings()
	daemon.proxyMetrics = true
	return new(app).daemonHandler(server, daemon), server
}

// ask makes a request of a handler. Its answer's body is cut off after a moment if
// it goes on.
func ask(t *testing.T, h http.Handler, method, path, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "http://localhost:8474"+path, strings.NewReader(body))
	if strings.HasSuffix(path, "/events") {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		r = r.WithContext(ctx)
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Each route of the page is there and gives the status it says, and the other way
// round: each route of the server's stands on the page.
func TestDocs_apiRoutes(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(docsRoot + "/network/proxy/control/handler.go")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"GET /metrics"} // the daemon's
	registered := regexp.MustCompile(`(?s)(?:route|mux\.Handle)\("(/[^"]+)", methods\{(.*?)\}\)`)
	for _, m := range registered.FindAllStringSubmatch(string(source), -1) {
		for _, method := range regexp.MustCompile(`http\.Method(\w+)`).FindAllStringSubmatch(m[2], -1) {
			want = append(want, strings.ToUpper(method[1])+" "+m[1])
		}
	}
	bodies := map[string]string{
		"POST /proxies":                `{"name": "new", "listen": "127.0.0.1:0", "upstream": "localhost:1"}`,
		"POST /populate":               `[{"name": "new", "listen": "127.0.0.1:0", "upstream": "localhost:1"}]`,
		"POST /proxies/{proxy}/toxics": `{"type": "noop"}`,
		"POST /sessions/{session}":     `{"lease": "1h"}`,
	}
	var got []string
	for _, row := range rowsBelow(t, page(t, "reference/proxy-api.md"), "## Routes") {
		method, route := strings.Trim(row[0], "`"), strings.Trim(row[1], "`")
		got = append(got, method+" "+route)
		prefixes := []string{""}
		if regexp.MustCompile(`^/(proxies|populate|reset|events)`).MatchString(route) {
			prefixes = append(prefixes, "/sessions/ci")
		}
		for _, prefix := range prefixes {
			h, server := served(t, nil)
			session := strings.TrimPrefix(prefix, "/sessions/")
			if session != "" {
				if _, err := server.Create(session, control.ProxySpec{Name: "redis", Upstream: "localhost:1", Enabled: new(bool)}); err != nil {
					t.Fatal(err)
				}
				if _, err := server.AddToxic(session, "redis", control.ToxicSpec{Name: "slow", Type: "latency"}, true); err != nil {
					t.Fatal(err)
				}
			}
			lease, err := server.LeaseSession("other", time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			path := strings.NewReplacer("{proxy}", "redis", "{toxic}", "slow", "{lease}", lease.ID, "{session}", "ci").Replace(route)
			body, ok := bodies[method+" "+route]
			if !ok && method != http.MethodGet {
				body = "{}"
			}
			w := ask(t, h, method, prefix+path, body, nil)
			if fmt.Sprint(w.Code) != row[2] {
				t.Errorf("%s %s%s = %d %s, the page says %s", method, prefix, path, w.Code, w.Body, row[2])
			}
			if (w.Code == http.StatusNoContent) != (w.Body.Len() == 0) {
				t.Errorf("%s %s%s = %d with %d bytes", method, prefix, path, w.Code, w.Body.Len())
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the page has the routes\n%q\nthe server\n%q", got, want)
	}
}

// The fields of the page are those of the types.
func TestDocs_apiFields(t *testing.T) {
	t.Parallel()
	text := page(t, "reference/proxy-api.md")
	rows := []struct {
		heading string
		of      any
	}{
		{"### proxy", control.Proxy{}},
		{"### toxic", control.Toxic{}},
		{"### lease", control.Lease{}},
		{"### counters", control.Stats{}},
		{"### connection", proxy.Connection{}},
		{"### stream", toxic.StreamStatus{}},
		{"### toxic of a stream", toxic.StageStatus{}},
		{"### server", control.Info{}},
		{"### event", control.Event{}},
		{"### what is asked for of a proxy", control.ProxySpec{}},
		{"### what is asked for of a toxic", control.ToxicSpec{}},
		{"### what to change about a toxic", control.ToxicChange{}},
	}
	for _, row := range rows {
		var got []string
		for _, cells := range rowsBelow(t, text, row.heading) {
			got = append(got, strings.Trim(cells[0], "`"))
		}
		want := fields(reflect.TypeOf(row.of))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has the fields\n%q, want\n%q", row.heading, got, want)
		}
	}
	var types []string
	for _, cells := range rowsBelow(t, text, "### types") {
		for _, span := range strings.Split(cells[0], ", ") {
			types = append(types, strings.Trim(span, "`"))
		}
	}
	want := eventTypes()
	slices.Sort(types)
	slices.Sort(want)
	if !slices.Equal(types, want) {
		t.Errorf("the page has the types %q, want %q", types, want)
	}
}

// fields are the names a struct's fields have in JSON.
func fields(of reflect.Type) (names []string) {
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			for _, inner := range fields(f.Type) {
				if !slices.Contains(names, inner) { // the outer one hides it
					names = append(names, inner)
				}
			}
		case name != "-" && !slices.Contains(names, name):
			names = append(names, name)
		}
	}
	return names
}

// Every type of event there is stands in eventTypes.
func TestEventTypes(t *testing.T) {
	t.Parallel()
	var want []string
	for _, file := range []string{"event.go", "control/wire.go"} {
		source, err := os.ReadFile(docsRoot + "/network/proxy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^\t\w+ +(?:proxy\.)?EventType = "(\w+)"$`).FindAllStringSubmatch(string(source), -1) {
			want = append(want, m[1])
		}
	}
	got := eventTypes()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("eventTypes() = %q, want %q", got, want)
	}
}

// The page of metrics is what the collector says of itself.
func TestDocs_metrics(t *testing.T) {
	t.Parallel()
	_, server := served(t, nil)
	registry := prometheus.NewRegistry()
	registry.MustRegister(newProxyMetrics(server))
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| metric | type | labels | what |\n|---|---|---|---|\n")
	for _, f := range families {
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, "`"+l.GetName()+"`")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.GetName(), strings.ToLower(f.GetType().String()), strings.Join(labels, ", "), f.GetHelp())
	}
	if len(families) != reflect.TypeFor[proxyMetrics]().NumField()-1 {
		t.Errorf("%d metrics are shown, the collector has %d", len(families), reflect.TypeFor[proxyMetrics]().NumField()-1)
	}
	golden.CheckSection(t, docsRoot+"/docs/reference/metrics.md", "metrics", b.String())
}
