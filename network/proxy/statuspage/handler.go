package statuspage

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// pages is the page of one server.
type pages struct {
	server    *control.Server
	templates *template.Template
	rates     *rates
}

// Handler returns the page of a server, for /ui and the paths below it, and for / if
// that is to lead there. It lets everyone in: it belongs behind server.Guard. It is safe for concurrent use.
func Handler(server *control.Server) http.Handler {
	p := &pages{server: server, templates: templates(), rates: newRates()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ui", func(w http.ResponseWriter, r *http.Request) { p.overview(w, r, nil) })
	mux.Handle("GET /{$}", http.RedirectHandler(root, http.StatusFound))
	mux.Handle("GET /ui/{$}", http.RedirectHandler(root, http.StatusFound))
	mux.HandleFunc("GET /ui/events", p.stream)
	mux.HandleFunc("POST /ui/proxies", p.createProxy)
	mux.HandleFunc("POST /ui/reset", p.reset)
	// Each route is there twice: for proxies of no session, and of one.
	route := func(method, below string, h http.HandlerFunc) {
		mux.HandleFunc(method+" /ui/proxies/{proxy}"+below, h)
		mux.HandleFunc(method+" /ui/sessions/{session}/proxies/{proxy}"+below, h)
	}
	route("GET", "", func(w http.ResponseWriter, r *http.Request) { p.proxy(w, r, nil) })
	route("POST", "/enable", p.enable(true))
	route("POST", "/disable", p.enable(false))
	route("POST", "/delete", p.deleteProxy)
	route("POST", "/toxics", p.addToxic)
	route("POST", "/toxics/{toxic}", p.changeToxic)
	route("POST", "/toxics/{toxic}/remove", p.removeToxic)
	for _, a := range assets() {
		mux.Handle("GET /ui/"+a.name, a)
	}
	return guarded(mux)
}

// policy lets the page use what this handler serves, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// most is how many bytes a form may have.
const most = 1 << 20

// guarded says what a browser may do with a page, and bounds what is sent.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		// Not no-referrer: a form would then be sent with "Origin: null", which
		// is what a page of another site looks like.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		r.Body = http.MaxBytesReader(w, r.Body, most)
		next.ServeHTTP(w, r)
	})
}

// page is what every view has.
type page struct {
	// Heading names the view, Path is where its proxy is, "" for all of them.
	Heading, Path string
	// Said is the outcome of what was done last, Failed what could not be.
	Said   string
	Failed *failure
	// Stream is where the view is told of changes.
	Stream     string
	ServerSeed uint64
	Events     events
}

// render writes a view. The whole of it is made before a byte is sent.
func (p *pages) render(w http.ResponseWriter, status int, name string, view any) {
	var b bytes.Buffer
	if err := p.templates.ExecuteTemplate(&b, name, view); err != nil {
		http.Error(w, fmt.Sprintf("status page: %s", err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // fails when the client is gone
}

// missing is the view of what is not, or no longer, there.
func (p *pages) missing(w http.ResponseWriter, e *control.Error) {
	p.render(w, e.Status, "missing.html", page{Heading: e.Message, ServerSeed: p.server.Seed()})
}

// now is the time of a view.
func now() time.Time { return time.Now() }
