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
	Proxies, Enabled, Hurt, Toxics, Open int
	DialErrors                           int64
	Rate                                 rate
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
	stats, proxies := p.server.AllStats(), p.server.All()
	now := p.rates.observe(now(), stats)
	p.rates.forget(now)
	counters := make(map[key]control.Stats, len(stats))
	for _, s := range stats {
		counters[key{s.Session, s.Proxy}] = s
	}
	var rows []row
	for _, it := range proxies {
		k := key{it.Session, it.Name}
		found := row{Proxy: it, figures: figures{counters[k], now[k]}}
		v.Total.add(found)
		if v.takes(it) {
			rows = append(rows, found)
		}
	}
	v.cut(rows, number, all)
	for i := range v.Rows {
		v.Rows[i].complete(v.Here, failed)
	}
	v.Create = newCreateForm(failed, len(proxies) == 0)
	v.ResetForm = form{ID: "reset", Action: root + "/reset", Back: v.Here, Failed: failed.of("reset")}
	p.render(w, failed.status(), "overview.html", v)
}

// complete gives a row that is shown what belongs to its form.
func (r *row) complete(here string, failed *failure) {
	k := key{r.Session, r.Name}
	r.ID, r.Path = "proxy-"+id(r.Session, r.Name), k.path()
	r.Switch = newSwitch(k, r.Enabled, failed)
	r.Switch.Back = here
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
func (v *overview) takes(p control.Proxy) bool {
	if v.Toxics && len(p.Toxics) == 0 {
		return false
	}
	want := strings.ToLower(v.Query)
	for _, text := range []string{p.Name, p.Session, p.Listen, p.Upstream} {
		if strings.Contains(strings.ToLower(text), want) {
			return true
		}
	}
	return false
}

// cut keeps the rows of one page, counted from 0.
func (v *overview) cut(rows []row, number int, all bool) {
	number = max(0, min(number, (len(rows)-1)/perPage))
	first := number * perPage
	last := min(first+perPage, len(rows))
	v.Rows, v.Found, v.From, v.To = rows[first:last], len(rows), first+1, last
	if number > 0 {
		v.Previous = v.query(number-1, all)
	}
	if last < len(rows) {
		v.Next = v.query(number+1, all)
	}
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

func (t *total) add(r row) {
	t.Proxies++
	if r.Enabled {
		t.Enabled++
	}
	if len(r.Toxics) > 0 {
		t.Hurt++
	}
	t.Toxics += len(r.Toxics)
	t.Open += r.Stats.Open
	t.DialErrors += r.Stats.DialErrors
	t.Rate.Known = t.Rate.Known || r.Rate.Known
	t.Rate.Up += r.Rate.Up
	t.Rate.Down += r.Rate.Down
}
