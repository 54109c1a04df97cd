package control

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Guard lets through to next what may drive the server: with a Token whoever has
// it; without one whoever calls the server by a name of this machine's loopback or
// one of Settings.Hosts, which a page from elsewhere can't make a browser do. What
// a browser sends from a page of another site is refused in any case.
func (s *Server) Guard(next http.Handler) http.Handler {
	var crossOrigin http.CrossOriginProtection
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case crossOrigin.Check(r) != nil || r.Header.Get("Sec-Fetch-Site") == "cross-site":
			writeError(w, errorf(http.StatusForbidden, "refused: sent by a page of another site"))
		case s.settings.Token != "" && !s.authorized(r):
			w.Header().Set("WWW-Authenticate", `Basic realm="brunt", charset="UTF-8"`)
			writeError(w, errorf(http.StatusUnauthorized,
				"unauthorized: want the token, as \"Authorization: Bearer TOKEN\" or in the URL as http://:TOKEN@HOST"))
		case s.settings.Token == "" && !s.known(r.Host):
			writeError(w, errorf(http.StatusForbidden,
				"host %.100q: not a name this server answers to; call it localhost, or start it with that name allowed", r.Host))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (s *Server) authorized(r *http.Request) bool {
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer {
		_, token, _ = r.BasicAuth()
	}
	// Hashed, so that the comparison takes the same time whatever the length.
	given, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(s.settings.Token))
	return subtle.ConstantTimeCompare(given[:], want[:]) == 1
}

// known reports whether a Host header names this machine's loopback, or a name
// that is allowed. Browsers always send one: what has none, such as a health check in
// HTTP/1.0, is sent by no page.
func (s *Server) known(host string) bool {
	if host == "" {
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsLoopback() {
		return true
	}
	return slices.ContainsFunc(s.settings.Hosts, func(h string) bool { return h == "*" || strings.EqualFold(h, host) })
}

// IsBrowser reports whether a request says that it is a browser's. The API answers
// none.
func IsBrowser(r *http.Request) bool { return strings.HasPrefix(r.UserAgent(), "Mozilla/") }

// refuseBrowsers refuses what says it is a browser, as Toxiproxy does. Pages for
// browsers stand elsewhere.
func refuseBrowsers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if IsBrowser(r) {
			http.Error(w, "User agent not allowed", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
