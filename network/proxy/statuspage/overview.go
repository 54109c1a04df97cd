package statuspage

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// perPage is how many proxies one view shows.
const perPage = 50

// overview is the view of all proxies.
type overview struct {
	page

	Rows []row
	// Query and Toxics narrow the rows down: text that is in a name or an
	// address, and having a toxic.
	Query  string
	Toxics bool
	// Found is how many rows there are on all pages, From and To which of them
	// these are.
	Found, From, To int
	// Previous and Next are queries, "" if there is no such page. Here is that
	// of this one.
	Previous, Next, Here string
	Total                total
	Create               createForm
	ResetForm            form
}

// total sums all proxies up.
type total struct {
	Proxies, Hurt, Open int
	DialErrors          int64
	Rate                rate
}

// row is a proxy in the list.
type row struct {
	control.Proxy
	figures

	ID, Path string
	// Switch starts or stops it.
	Switch form
}

// figures are the counters of a proxy.
type figures struct {
	Stats control.Stats
	Rate  rate
}

// form is one without fields to fill in.
type form struct {
	ID, Action string
	// Back is the query of the view to come back to.
	Back    string
	Proxy   string
	Enabled bool
	Failed  *failure
}

// overview shows all proxies, and what failed if something did.
func (p *pages) overview(w http.ResponseWriter, r *http.Request, failed *failure) {
	q := r.URL.Query()
	if failed != nil {
		q = back(failed.typed)
	}
	v := &overview{Query: q.Get("q"), Toxics: q.Get("toxics") != ""}
	all := q.Get("events") == "all"
	number, _ := strconv.Atoi(q.Get("page"))
	v.page = page{
		Heading: "Proxies", Said: said(r), Failed: failed, Stream: root + "/events", ServerSeed: p.server.Seed(),
		Events: p.latest(key{}, all, v.query(number, !all)),
	}
	v.Here = v.query(number, all)
	stats := p.server.AllStats()
	now := p.rates.observe(now(), stats)
	p.rates.forget(now)
	var found []figures
	for _, s := range stats {
		f := figures{s, now[key{s.Session, s.Proxy}]}
		v.Total.add(f)
		if v.takes(s) {
			found = append(found, f)
		}
	}
	for _, f := range v.cut(found, number, all) {
		// Only of those that are shown, for there may be thousands.
		it, err := p.server.Proxy(f.Stats.Session, f.Stats.Proxy)
		if err != nil {
			continue // deleted in that moment
		}
		v.Rows = append(v.Rows, newRow(it, f, v.Here, failed))
	}
	v.Create = newCreateForm(failed, len(stats) == 0)
	v.ResetForm = form{ID: "reset", Action: root + "/reset", Back: v.Here, Failed: failed.of("reset")}
	p.render(w, failed.status(), "overview.html", v)
}

func newRow(it control.Proxy, f figures, here string, failed *failure) row {
	k := key{it.Session, it.Name}
	r := row{Proxy: it, figures: f, ID: "proxy-" + id(k.session, k.name), Path: k.path()}
	r.Switch = newSwitch(k, it.Enabled, failed)
	r.Switch.Back = here
	return r
}

// newSwitch is the form that starts a proxy that is stopped and the other way
// round.
func newSwitch(k key, enabled bool, failed *failure) form {
	f := form{ID: "switch-" + id(k.session, k.name), Action: k.path() + "/enable", Proxy: k.name, Enabled: enabled}
	if enabled {
		f.Action = k.path() + "/disable"
	}
	f.Failed = failed.of(f.ID)
	return f
}

// takes reports whether a proxy is one of those that are asked for.
func (v *overview) takes(s control.Stats) bool {
	if v.Toxics && len(s.Hits) == 0 {
		return false
	}
	want := strings.ToLower(v.Query)
	for _, text := range []string{s.Proxy, s.Session, s.Listen, s.UpstreamAddress} {
		if strings.Contains(strings.ToLower(text), want) {
			return true
		}
	}
	return false
}

// cut returns what is on one page, counted from 0.
func (v *overview) cut(found []figures, number int, all bool) []figures {
	number = max(0, min(number, (len(found)-1)/perPage))
	first := number * perPage
	last := min(first+perPage, len(found))
	v.Found, v.From, v.To = len(found), first+1, last
	if number > 0 {
		v.Previous = v.query(number-1, all)
	}
	if last < len(found) {
		v.Next = v.query(number+1, all)
	}
	return found[first:last]
}

// query is that of a view like this one.
func (v *overview) query(number int, all bool) string {
	q := url.Values{}
	if v.Query != "" {
		q.Set("q", v.Query)
	}
	if v.Toxics {
		q.Set("toxics", "1")
	}
	if number > 0 {
		q.Set("page", fmt.Sprint(number))
	}
	if all {
		q.Set("events", "all")
	}
	return "?" + q.Encode()
}

func (t *total) add(f figures) {
	t.Proxies++
	if len(f.Stats.Hits) > 0 {
		t.Hurt++
	}
	t.Open += f.Stats.Open
	t.DialErrors += f.Stats.DialErrors
	t.Rate.Known = t.Rate.Known || f.Rate.Known
	t.Rate.Up += f.Rate.Up
	t.Rate.Down += f.Rate.Down
}
