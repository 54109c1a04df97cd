package statuspage

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// done are the outcomes a view can be told to say, by a word in its query: a link
// from elsewhere can make it say no others.
func done() map[string]string {
	return map[string]string{
		"created":  "Proxy created.",
		"deleted":  "Proxy deleted.",
		"enabled":  "Proxy enabled.",
		"disabled": "Proxy disabled.",
		"added":    "Toxic added.",
		"changed":  "Toxic changed.",
		"removed":  "Toxic removed.",
		"reset":    "Everything reset: no toxics, every proxy enabled.",
	}
}

// said is the outcome a view is to say.
func said(r *http.Request) string {
	if r.Method != http.MethodGet {
		return ""
	}
	return done()[r.URL.Query().Get("done")]
}

// see sends the browser to a view that says what was done. Reloading that does it
// no second time.
func see(w http.ResponseWriter, r *http.Request, path string, q url.Values, word, fragment string) {
	q.Set("done", word)
	http.Redirect(w, r, path+"?"+q.Encode()+"#"+fragment, http.StatusSeeOther)
}

// read is a form's fields, or false after it said that they can't be read.
func (p *pages) read(w http.ResponseWriter, r *http.Request) (*typed, bool) {
	if err := r.ParseForm(); err != nil {
		status := http.StatusBadRequest
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		p.missing(w, &control.Error{Message: "form: " + err.Error(), Status: status})
		return nil, false
	}
	return &typed{Values: r.PostForm}, true
}

func (p *pages) addToxic(w http.ResponseWriter, r *http.Request) {
	t, ok := p.read(w, r)
	if !ok {
		return
	}
	k, kind, stream, share := keyOf(r), t.text("type"), t.text("stream"), t.toxicity()
	spec := control.ToxicSpec{
		Name: t.text("name"), Type: kind, Stream: &stream, Toxicity: &share,
		Attributes: t.attributes(kind), Selection: t.selection(), Lease: t.lease(),
	}
	err := t.err()
	if err == nil {
		var it control.Toxic
		if it, err = p.server.AddToxic(k.session, k.name, spec, true); err == nil {
			see(w, r, k.path(), url.Values{}, "added", "toxic-"+id(it.Name))
			return
		}
	}
	p.proxy(w, r, failed("add", t.Values, err))
}

func (p *pages) changeToxic(w http.ResponseWriter, r *http.Request) {
	t, ok := p.read(w, r)
	if !ok {
		return
	}
	k, name := keyOf(r), r.PathValue("toxic")
	old, err := p.server.Toxic(k.session, k.name, name)
	if err != nil {
		p.missing(w, asError(err))
		return
	}
	share, which := t.toxicity(), t.selection()
	change := control.ToxicChange{
		Toxicity: &share, Attributes: t.attributes(old.Type),
		Connections: &which.Connections, AfterBytes: &which.AfterBytes, Source: &which.Source, Count: &which.Count,
	}
	if err = t.err(); err == nil {
		_, err = p.server.ChangeToxic(k.session, k.name, name, change, true)
	}
	if err != nil {
		p.proxy(w, r, failed("edit-"+id(name), t.Values, err))
		return
	}
	see(w, r, k.path(), url.Values{}, "changed", "toxic-"+id(name))
}

func (p *pages) removeToxic(w http.ResponseWriter, r *http.Request) {
	k, name := keyOf(r), r.PathValue("toxic")
	if err := p.server.RemoveToxic(k.session, k.name, name); err != nil {
		p.gone(w, r, "remove-"+id(name), err)
		return
	}
	see(w, r, k.path(), url.Values{}, "removed", "toxics")
}

// gone says what failed: in the view, unless what it was about is no longer there.
func (p *pages) gone(w http.ResponseWriter, r *http.Request, form string, err error) {
	if e := asError(err); e.Status == http.StatusNotFound {
		p.missing(w, e)
		return
	}
	p.proxy(w, r, failed(form, r.PostForm, err))
}
