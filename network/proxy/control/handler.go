package control

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// Handler returns the API. It answers only those it may: see Guard.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	// Each route is there twice: for proxies of no session, and of one.
	route := func(pattern string, m methods) {
		mux.Handle(pattern, m)
		mux.Handle("/sessions/{session}"+pattern, m)
	}
	route("/proxies", methods{
		http.MethodGet:  s.answer(http.StatusOK, s.getProxies),
		http.MethodPost: s.answer(http.StatusCreated, s.postProxy),
	})
	route("/populate", methods{http.MethodPost: http.HandlerFunc(s.postPopulate)})
	route("/reset", methods{http.MethodPost: s.answer(http.StatusNoContent, s.postReset)})
	route("/proxies/{proxy}", methods{
		http.MethodGet:    s.answer(http.StatusOK, s.getProxy),
		http.MethodPatch:  s.answer(http.StatusOK, s.patchProxy),
		http.MethodPost:   s.answer(http.StatusOK, s.patchProxy),
		http.MethodDelete: s.answer(http.StatusNoContent, s.deleteProxy),
	})
	route("/proxies/{proxy}/toxics", methods{
		http.MethodGet:  s.answer(http.StatusOK, s.getToxics),
		http.MethodPost: s.answer(http.StatusOK, s.postToxic),
	})
	route("/proxies/{proxy}/toxics/{toxic}", methods{
		http.MethodGet:    s.answer(http.StatusOK, s.getToxic),
		http.MethodPatch:  s.answer(http.StatusOK, s.patchToxic),
		http.MethodPost:   s.answer(http.StatusOK, s.patchToxic),
		http.MethodDelete: s.answer(http.StatusNoContent, s.deleteToxic),
	})
	route("/proxies/{proxy}/connections", methods{http.MethodGet: s.answer(http.StatusOK, s.getConnections)})
	route("/proxies/{proxy}/stats", methods{http.MethodGet: s.answer(http.StatusOK, s.getStats)})
	route("/events", methods{http.MethodGet: http.HandlerFunc(s.getEvents)})
	mux.Handle("/stats", methods{http.MethodGet: s.answer(http.StatusOK, s.getAllStats)})
	mux.Handle("/leases/{lease}", methods{
		http.MethodPost:   s.answer(http.StatusOK, s.postLease),
		http.MethodDelete: s.answer(http.StatusNoContent, s.deleteLease),
	})
	mux.Handle("/sessions/{session}", methods{
		http.MethodPost:   s.answer(http.StatusOK, s.postSession),
		http.MethodDelete: s.answer(http.StatusNoContent, s.deleteSession),
	})
	mux.Handle("/version", methods{http.MethodGet: http.HandlerFunc(getVersion)})
	mux.Handle("/server", methods{http.MethodGet: s.answer(http.StatusOK, s.getServer)})
	return identify(s.Guard(refuseBrowsers(mux)))
}

// methods are the handlers of a path. One of another method is told so without a
// body, HEAD too, as by Toxiproxy.
type methods map[string]http.Handler

// ServeHTTP implements http.Handler.
func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h, ok := m[r.Method]
	if !ok {
		var allowed []string
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete} {
			if m[method] != nil {
				allowed = append(allowed, method)
			}
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	h.ServeHTTP(w, r)
}

// identify gives every answer an ID in the form Toxiproxy gives it.
func identify(next http.Handler) http.Handler {
	encoding := base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var id [12]byte
		_, _ = rand.Read(id[:]) // never fails
		w.Header().Set("X-Toxiproxy-Request-Id", encoding.EncodeToString(id[:]))
		next.ServeHTTP(w, r)
	})
}

// answer makes a handler of a function that returns what to send as JSON, or
// nothing with StatusNoContent.
func (s *Server) answer(status int, f func(*request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, err := f(s.request(w, r))
		switch {
		case err != nil:
			writeError(w, asError(err))
		case status == http.StatusNoContent:
			w.WriteHeader(status)
		default:
			writeJSON(w, status, v)
		}
	})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		writeError(w, errorf(http.StatusInternalServerError, "%s", err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data) // fails when the client is gone
}

// writeError sends an error as Toxiproxy does: JSON that says it is text.
func writeError(w http.ResponseWriter, e *Error) {
	data, err := json.Marshal(e)
	if err != nil {
		data = []byte(e.Message)
	}
	http.Error(w, string(data), e.Status)
}

// request is one with what handlers ask of it.
type request struct {
	*http.Request

	body   io.Reader
	strict bool
}

func (s *Server) request(w http.ResponseWriter, r *http.Request) *request {
	strict, err := strconv.ParseBool(r.URL.Query().Get("strict"))
	return &request{
		Request: r,
		body:    http.MaxBytesReader(w, r.Body, s.settings.MaxBody),
		strict:  s.settings.Strict || err == nil && strict,
	}
}

func (r *request) session() string { return r.PathValue("session") }
func (r *request) proxy() string   { return r.PathValue("proxy") }
func (r *request) toxic() string   { return r.PathValue("toxic") }

// decode reads the body into v, which errors call by the name of what it is. Unless
// it is strict, unknown fields and what comes after the first JSON value are ignored,
// as by Toxiproxy.
func (r *request) decode(v any, name string) error { return decode(r.body, v, name, r.strict) }

func decode(from io.Reader, v any, name string, strict bool) error {
	d := json.NewDecoder(from)
	if strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(v); err != nil {
		return badBody(ofType(err, name))
	}
	if strict {
		if _, err := d.Token(); err != io.EOF {
			return errorf(http.StatusBadRequest, "bad request body: more than one JSON value")
		}
	}
	return nil
}
