package statuspage

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// detail is the view of one proxy.
type detail struct {
	page
	control.Proxy
	figures

	Switch, Delete form
	Toxics         []toxicView
	Add            toxicForm
	Connections    connections
}

// proxy shows one proxy, and what failed if something did.
func (p *pages) proxy(w http.ResponseWriter, r *http.Request, failed *failure) {
	k := keyOf(r)
	it, err := p.server.Proxy(k.session, k.name)
	if err != nil {
		p.missing(w, asError(err))
		return
	}
	all := r.URL.Query().Get("events") == "all"
	other := "?events=all"
	if all {
		other = "?"
	}
	v := &detail{
		page: page{
			Heading: it.Name, Path: k.path(), Said: said(r), Failed: failed,
			Stream:     root + "/events?" + url.Values{"session": {k.session}, "proxy": {k.name}}.Encode(),
			ServerSeed: p.server.Seed(), Events: p.latest(k, all, other),
		},
		Proxy:       it,
		Switch:      newSwitch(k, it.Enabled, failed),
		Delete:      form{ID: "delete", Action: k.path() + "/delete", Proxy: k.name, Failed: failed.of("delete")},
		Add:         newAddForm(k, failed),
		Connections: p.connections(k),
	}
	if stats := p.stats(k); len(stats) > 0 {
		v.figures = figures{stats[0], p.rates.observe(now(), stats)[k]}
	}
	for _, t := range it.Toxics {
		v.Toxics = append(v.Toxics, newToxicView(k, t, failed))
	}
	p.render(w, failed.status(), "proxy.html", v)
}

// keyOf is the proxy that a request is about.
func keyOf(r *http.Request) key { return key{r.PathValue("session"), r.PathValue("proxy")} }

// asError is what the server said.
func asError(err error) *control.Error {
	var e *control.Error
	if errors.As(err, &e) {
		return e
	}
	return &control.Error{Message: err.Error(), Status: http.StatusInternalServerError}
}
