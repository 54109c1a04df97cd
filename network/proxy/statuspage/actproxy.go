package statuspage

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// createForm is the form that makes a proxy.
type createForm struct {
	form

	Fields []field
	// Open says that it is not folded.
	Open bool
}

func newCreateForm(failed *failure, empty bool) createForm {
	f := createForm{
		form: form{ID: "create", Action: root + "/proxies", Failed: failed.of("create")},
		Fields: []field{
			{Name: "name", Label: "name", Hint: "unique in its session"},
			{Name: "upstream", Label: "upstream", Hint: "where connections go, such as localhost:6379"},
			{Name: "listen", Label: "listen", Hint: "where clients connect, such as 127.0.0.1:26379; if empty, any free port of this machine's loopback"},
			{Name: "session", Label: "session", Hint: "if empty, none"},
			{Name: "lease", Label: "lease", Hint: "deleted after so long, such as 10m, unless renewed; if empty, it stays"},
		},
		Open: empty,
	}
	var names []string
	for i := range f.Fields {
		f.Fields[i].ID, f.Fields[i].Mode = "create-"+f.Fields[i].Name, "text"
		names = append(names, f.Fields[i].Name)
	}
	if f.Failed != nil {
		f.Open = true
		f.Failed.settle(names)
		for i := range f.Fields {
			f.Fields[i].fill(f.Failed.typed, f.Failed.about(f.Fields[i].Name))
		}
	}
	return f
}

// loopback is where a proxy listens that is made here and told nothing: nothing is
// opened to others that nobody asked for.
const loopback = "127.0.0.1:0"

func (p *pages) createProxy(w http.ResponseWriter, r *http.Request) {
	t, ok := p.read(w, r)
	if !ok {
		return
	}
	k := key{t.text("session"), t.text("name")}
	spec := control.ProxySpec{Name: k.name, Upstream: t.text("upstream"), Listen: t.text("listen"), Lease: t.lease()}
	if spec.Listen == "" {
		spec.Listen = loopback
	}
	if spec.Name == "" {
		t.problem("name", "must not be empty")
	}
	if spec.Upstream == "" {
		t.problem("upstream", "must not be empty")
	}
	if k.session == "." || k.session == ".." {
		t.problem("session", "%q, can't be asked for in a URL", k.session)
	}
	err := t.err()
	if err == nil {
		_, err = p.server.Create(k.session, spec)
	}
	if err != nil {
		p.overview(w, r, failed("create", t.Values, err))
		return
	}
	see(w, r, k.path(), url.Values{}, "created", "main")
}

// enable starts proxies or stops them.
func (p *pages) enable(enabled bool) http.HandlerFunc {
	word := "disabled"
	if enabled {
		word = "enabled"
	}
	return func(w http.ResponseWriter, r *http.Request) {
		t, ok := p.read(w, r)
		if !ok {
			return
		}
		k := keyOf(r)
		_, err := p.server.Change(k.session, k.name, control.ProxySpec{Enabled: &enabled})
		listed := t.Has("back")
		switch form := "switch-" + id(k.session, k.name); {
		case err == nil && listed:
			see(w, r, root, back(t.Values), word, "proxy-"+id(k.session, k.name))
		case err == nil:
			see(w, r, k.path(), url.Values{}, word, "main")
		case asError(err).Status != http.StatusNotFound && listed:
			p.overview(w, r, failed(form, t.Values, err))
		default:
			p.gone(w, r, form, err)
		}
	}
}

// back is the query of the overview a form was in.
func back(typed url.Values) url.Values {
	given, _ := url.ParseQuery(strings.TrimPrefix(typed.Get("back"), "?")) // what can't be read is left out
	q := url.Values{}
	for _, name := range []string{"q", "toxics", "page", "events"} {
		if given.Get(name) != "" {
			q.Set(name, given.Get(name))
		}
	}
	return q
}

func (p *pages) deleteProxy(w http.ResponseWriter, r *http.Request) {
	k := keyOf(r)
	if err := p.server.Delete(k.session, k.name); err != nil {
		p.gone(w, r, "delete", err)
		return
	}
	see(w, r, root, url.Values{}, "deleted", "main")
}

// reset takes every toxic of every session away, and starts every proxy.
func (p *pages) reset(w http.ResponseWriter, r *http.Request) {
	t, ok := p.read(w, r)
	if !ok {
		return
	}
	sessions := map[string]bool{}
	var first error
	for _, it := range p.server.All() {
		if sessions[it.Session] {
			continue
		}
		sessions[it.Session] = true
		if err := p.server.Reset(it.Session); err != nil && first == nil {
			first = err
		}
	}
	if first != nil {
		p.overview(w, r, failed("reset", t.Values, first))
		return
	}
	see(w, r, root, back(t.Values), "reset", "main")
}
