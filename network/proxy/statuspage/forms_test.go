package statuspage_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

const (
	slow = "latency_downstream"
	db   = "/ui/proxies/db"
)

// formRig has a proxy "db" with a toxic, and one of a session that is disabled.
func formRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	r.create("", "db", "127.0.0.1:5000", "db:5432")
	r.create("a/b", "d/e", "127.0.0.1:5001", "db:5432")
	r.toxic("", "db", control.ToxicSpec{Type: "latency", Attributes: json.RawMessage(`{"latency":100,"jitter":5}`)})
	r.toxic("a/b", "d/e", control.ToxicSpec{Name: "table", Type: "latency", Attributes: json.RawMessage(`{"distribution":"table","percentiles":{"50":20}}`)})
	if _, err := r.server.Change("a/b", "d/e", control.ProxySpec{Enabled: ptr(false)}); err != nil {
		t.Fatal(err)
	}
	return r
}

// Each form does what it says, sends the browser on, and what it says there is
// what was done.
func TestForms(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, path string
		fields     []string
		location   string // without its fragment
		said       string
		check      func(*rig) bool
	}{
		{
			"add", db + "/toxics", []string{"type", "bandwidth", "stream", "upstream", "bandwidth.rate", " 64 ", "toxicity", "0.5", "latency.latency", "ignored"},
			db + "?done=added", "Toxic added.", func(r *rig) bool {
				x, err := r.server.Toxic("", "db", "bandwidth_upstream")
				return err == nil && x.Stream == toxic.Upstream && x.Toxicity == 0.5 && string(x.Attributes) == `{"rate":64}` && x.Lease == nil
			},
		},
		{
			"add_with_everything", db + "/toxics", []string{
				"type", "latency", "stream", "downstream", "name", "a/b ü", "lease", "30s", "toxicity", "", "latency.distribution", "table", "latency.percentiles", `{"50":20,"99":250}`,
				"latency.on_connect", "on", "connections.first", "2", "connections.last", "9", "connections.every", "3", "count", "4", "after_bytes", "5", "source", "10.0.0.0/8",
			},
			db + "?done=added", "Toxic added.", func(r *rig) bool {
				x, err := r.server.Toxic("", "db", "a/b ü")
				return err == nil && x.Lease.Length == control.Length(30*time.Second) && x.Toxicity == 1 &&
					x.Connections == toxic.Ordinals{First: 2, Last: 9, Every: 3} && x.Count == 4 && x.AfterBytes == 5 && x.Source.String() == "10.0.0.0/8" &&
					string(x.Attributes) == `{"latency":0,"jitter":0,"distribution":"table","percentiles":{"50":20,"99":250},"on_connect":true}`
			},
		},
		{
			"change", db + "/toxics/" + slow, []string{"latency.latency", "250", "latency.distribution", "normal", "toxicity", "0.25", "count", "3"},
			db + "?done=changed", "Toxic changed.", func(r *rig) bool {
				x, err := r.server.Toxic("", "db", slow)
				// What was emptied has its default.
				return err == nil && x.Toxicity == 0.25 && x.Count == 3 && string(x.Attributes) == `{"latency":250,"jitter":0,"distribution":"normal"}`
			},
		},
		{
			"change_emptied", "/ui/sessions/a%2Fb/proxies/d%2Fe/toxics/table", []string{"latency.latency", "3", "latency.percentiles", "", "latency.distribution", "uniform"},
			"/ui/sessions/a%2Fb/proxies/d%2Fe?done=changed", "Toxic changed.", func(r *rig) bool {
				x, err := r.server.Toxic("a/b", "d/e", "table")
				return err == nil && string(x.Attributes) == `{"latency":3,"jitter":0}`
			},
		},
		{"remove", db + "/toxics/" + slow + "/remove", nil, db + "?done=removed", "Toxic removed.", func(r *rig) bool {
			x, err := r.server.Toxics("", "db")
			return err == nil && len(x) == 0
		}},
		{"disable", db + "/disable", nil, db + "?done=disabled", "Proxy disabled.", func(r *rig) bool {
			x, err := r.server.Proxy("", "db")
			return err == nil && !x.Enabled
		}},
		{
			"enable_in_the_list", "/ui/sessions/a%2Fb/proxies/d%2Fe/enable", []string{"back", "?q=d%2Fe&toxics=1&page=2&events=all&evil=1"},
			"/ui?done=enabled&events=all&page=2&q=d%2Fe&toxics=1", "Proxy enabled.", func(r *rig) bool {
				x, err := r.server.Proxy("a/b", "d/e")
				return err == nil && x.Enabled
			},
		},
		{"delete", "/ui/sessions/a%2Fb/proxies/d%2Fe/delete", nil, "/ui?done=deleted", "Proxy deleted.", func(r *rig) bool {
			_, err := r.server.Proxy("a/b", "d/e")
			return err != nil
		}},
		{
			"create", "/ui/proxies", []string{"name", "new one", "session", "s/1", "upstream", "there:1", "listen", "", "lease", "1m"},
			"/ui/sessions/s%2F1/proxies/new%20one?done=created", "Proxy created.", func(r *rig) bool {
				x, err := r.server.Proxy("s/1", "new one")
				// Nothing is opened to others that nobody asked for.
				return err == nil && x.Enabled && slices.Contains(r.asked, "127.0.0.1:0") && x.Upstream == "there:1" && x.Lease.Length == control.Length(time.Minute)
			},
		},
		{"reset", "/ui/reset", []string{"back", "?"}, "/ui?done=reset", "Everything reset: no toxics, every proxy enabled.", func(r *rig) bool {
			return !slices.ContainsFunc(r.server.All(), func(p control.Proxy) bool { return !p.Enabled || len(p.Toxics) > 0 })
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := formRig(t)
				w := r.post(row.path, row.fields...)
				location, _, _ := strings.Cut(w.Header().Get("Location"), "#")
				if w.Code != http.StatusSeeOther || location != row.location {
					t.Fatalf("%d to %q, want 303 to %q\n%s", w.Code, location, row.location, problems(w.Body.String()))
				}
				if !row.check(r) {
					t.Errorf("it was not done: %+v", r.server.All())
				}
				page := r.get(location).Body.String()
				if want := `role="status">` + row.said + "</p>"; !strings.Contains(page, want) {
					t.Errorf("the page lacks %s", want)
				}
				sound(t, page)
			})
		})
	}
}

// problems are the lines of a page that say what is wrong.
func problems(page string) string {
	var out []string
	for line := range strings.Lines(page) {
		if strings.Contains(line, `class="wrong"`) || strings.Contains(line, `class="problem"`) || strings.Contains(line, `id="problem"`) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// A form that can't be carried out comes back with what was typed, and what is
// wrong beside the field it is about.
func TestForms_wrong(t *testing.T) {
	t.Parallel()
	const add = db + "/toxics"
	rows := []struct {
		name, path string
		fields     []string
		status     int
		want       []string
	}{
		{"bound", add, []string{"type", "latency", "stream", "downstream", "latency.latency", "-5"}, http.StatusBadRequest, []string{
			`name="latency.latency" value="-5"`, `id="add-latency-latency-problem">-5, must be from 0 to 86400000 `,
		}},
		{"no_number", add, []string{"type", "bandwidth", "stream", "upstream", "bandwidth.rate", "fast", "name", "kept"}, http.StatusBadRequest, []string{
			`<option value="bandwidth" selected>`, `value="upstream" checked`, `name="bandwidth.rate" value="fast"`, `id="add-bandwidth-rate-problem">&#34;fast&#34;, want an integer `,
			`name="name" value="kept"`, `id="add-more" open`,
		}},
		{"several", add, []string{"type", "latency", "stream", "downstream", "latency.latency", "1e", "latency.jitter", "x", "latency.percentiles", "{"}, http.StatusBadRequest, []string{
			`id="add-latency-percentiles-problem">&#34;{&#34;, want ms by percentile`,
		}},
		{"of_several_fields", add, []string{"type", "slicer", "stream", "downstream", "slicer.average_size", "5", "slicer.size_variation", "7"}, http.StatusBadRequest, []string{
			`id="add-slicer-size_variation-problem">7, must be below average_size, 5 `,
		}},
		{"of_no_field", add, []string{"type", "latency", "stream", "sideways"}, http.StatusBadRequest, []string{
			`<div class="problem" role="alert" tabindex="-1"><p>stream was invalid, can be either upstream or downstream</p></div>`,
		}},
		{"no_type", add, []string{"type", "nonsense", "stream", "upstream"}, http.StatusBadRequest, []string{"<p>invalid toxic type</p>"}},
		{"toxicity", add, []string{"type", "noop", "stream", "upstream", "toxicity", "7"}, http.StatusBadRequest, []string{
			`name="toxicity" value="7"`, `id="add-toxicity-problem">7, must be from 0 to 1 `,
		}},
		{"toxicity_is_no_number", add, []string{"type", "noop", "stream", "upstream", "toxicity", "half"}, http.StatusBadRequest, []string{`&#34;half&#34;, want a number from 0 to 1`}},
		{"selection", add, []string{
			"type", "noop", "stream", "upstream", "connections.first", "x", "connections.last", "-1", "count", "y", "source", "everywhere", "lease", "1y",
		}, http.StatusBadRequest, []string{
			`id="add-connections.first-problem">&#34;x&#34;, want an integer from 0 `, `id="add-connections.last-problem">&#34;-1&#34;`, `id="add-count-problem">&#34;y&#34;`,
			`id="add-source-problem">&#34;everywhere&#34;, want a network such as 10.0.0.0/8 `, `id="add-lease-problem">&#34;1y&#34;, want a duration`,
		}},
		{"selection_bound", add, []string{"type", "noop", "stream", "upstream", "connections.first", "9", "connections.last", "3"}, http.StatusBadRequest, []string{
			`id="add-connections.last-problem">3, must be &gt;= first, 9 `,
		}},
		{"exists", add, []string{"type", "latency", "stream", "downstream"}, http.StatusConflict, []string{"<p>toxic already exists</p>"}},
		{"offsets", add, []string{"type", "corrupt", "stream", "upstream", "corrupt.offsets", "[-1]"}, http.StatusBadRequest, []string{`id="add-corrupt-offsets-problem">-1, must be from 0`}},
		{"add_to_no_proxy", "/ui/proxies/nobody/toxics", []string{"type", "noop", "stream", "upstream"}, http.StatusNotFound, []string{`<p id="problem">proxy not found</p>`}},
		{"change", db + "/toxics/" + slow, []string{"latency.latency", "1.5"}, http.StatusBadRequest, []string{
			`name="latency.latency" value="1.5"`, `latency-latency-problem">1.5, want an integer `, `-edit" open`,
		}},
		{"change_of_none", db + "/toxics/nothing", nil, http.StatusNotFound, []string{`<p id="problem">toxic not found</p>`}},
		{"remove_of_none", db + "/toxics/nothing/remove", nil, http.StatusNotFound, []string{`<p id="problem">toxic not found</p>`}},
		{"create", "/ui/proxies", []string{"name", "", "upstream", "", "listen", "kept", "lease", "-1s"}, http.StatusBadRequest, []string{
			`name="listen" value="kept"`, `id="create-name-problem">must not be empty `, `id="create-upstream-problem">must not be empty `,
			`id="create-lease-problem">-1s, must be from 1ms to 24h0m0s `, `id="create-box" open`,
		}},
		{"create_exists", "/ui/proxies", []string{"name", "db", "upstream", "x:1"}, http.StatusConflict, []string{"<p>proxy already exists</p>"}},
		{"create_name", "/ui/proxies", []string{"name", "a\x07", "upstream", "x:1"}, http.StatusBadRequest, []string{`id="create-name-problem">&#34;a\a&#34;, must have no control characters `}},
		{"create_taken", "/ui/proxies", []string{"name", "two", "upstream", "x:1", "listen", "127.0.0.1:5000"}, http.StatusInternalServerError, []string{"address already in use", `value="two"`}},
		{"create_session", "/ui/proxies", []string{"name", "two", "upstream", "x:1", "session", ".."}, http.StatusBadRequest, []string{`id="create-session-problem">`}},
		{"enable_of_none", "/ui/proxies/nobody/enable", []string{"back", "?"}, http.StatusNotFound, []string{`<p id="problem">proxy not found</p>`}},
		{"delete_of_none", "/ui/proxies/nobody/delete", nil, http.StatusNotFound, []string{`<p id="problem">proxy not found</p>`}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := formRig(t)
				before, _ := json.Marshal(r.server.All())
				w := r.post(row.path, row.fields...)
				page := w.Body.String()
				if w.Code != row.status {
					t.Errorf("status %d, want %d", w.Code, row.status)
				}
				for _, want := range row.want {
					if !strings.Contains(page, want) {
						t.Errorf("the page lacks %s, it has\n%s", want, problems(page))
					}
				}
				if after, _ := json.Marshal(r.server.All()); string(after) != string(before) {
					t.Errorf("something has changed:\n%s\n%s", before, after)
				}
				sound(t, page)
			})
		})
	}
}

// A proxy that can't be started says why beside its button, in both views.
func TestForms_addressTaken(t *testing.T) {
	t.Parallel()
	for name, fields := range map[string][]string{"in_the_list": {"back", "?q=d"}, "in_its_view": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := formRig(t)
				r.echo("127.0.0.1:5001")
				w := r.post("/ui/sessions/a%2Fb/proxies/d%2Fe/enable", fields...)
				if w.Code != http.StatusInternalServerError || !strings.Contains(problems(w.Body.String()), "address already in use") {
					t.Errorf("%d, %s, want 500 and why", w.Code, problems(w.Body.String()))
				}
				sound(t, w.Body.String())
			})
		})
	}
}

// A form has a size that is enough for people.
func TestForms_tooLarge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := formRig(t)
		w := r.post(db+"/toxics", "type", "noop", "name", strings.Repeat("x", 2<<20))
		if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "too large") {
			t.Errorf("%d\n%s, want 413 and why", w.Code, problems(w.Body.String()))
		}
	})
}

// Every type of toxic has its form, with a field for each attribute, and can be
// added with what its hints allow. None is known here by name.
func TestForms_everyType(t *testing.T) {
	t.Parallel()
	for _, kind := range toxic.Kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := formRig(t)
				page := r.get(db).Body.String()
				it, err := toxic.New(kind)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range it.Attributes() {
					if want := `name="` + kind + "." + a.Name + `"`; strings.Count(page, want) < 1 {
						t.Errorf("the form lacks %s", want)
					}
				}
				fields := []string{"type", kind, "stream", "upstream"}
				for _, a := range it.Attributes() {
					// The first number must be more than 0 for some.
					if a.Form == toxic.FormInteger && len(fields) == 4 {
						fields = append(fields, kind+"."+a.Name, "7")
					}
					if kind != "latency" && a.Form == toxic.FormNumber {
						fields = append(fields, kind+"."+a.Name, "0.5")
					}
				}
				if w := r.post(db+"/toxics", fields...); w.Code != http.StatusSeeOther {
					t.Errorf("%d\n%s", w.Code, problems(w.Body.String()))
				}
				name := kind + "_upstream"
				before, err := r.server.Toxic("", "db", name)
				if err != nil {
					t.Fatal(err)
				}
				// Sent as it came, the form that changes it changes nothing.
				if w := r.post(db+"/toxics/"+name, sent(t, r.get(db).Body.String(), db+"/toxics/"+name)...); w.Code != http.StatusSeeOther {
					t.Errorf("%d\n%s", w.Code, problems(w.Body.String()))
				}
				if after, err := r.server.Toxic("", "db", name); err != nil || string(after.Attributes) != string(before.Attributes) || after.Selection != before.Selection {
					t.Errorf("sent as it was, the form made %s of %s (%v)", after.Attributes, before.Attributes, err)
				}
			})
		})
	}
}
