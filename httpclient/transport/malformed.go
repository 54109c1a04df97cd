package transport

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// malformed reports whether net/http refuses to send req. That it did is an error of a
// type of its own, which cannot be told from others. A method is a token, as a header's
// name is.
func malformed(req *http.Request) bool {
	return req.URL == nil || req.Header == nil ||
		req.Method != "" && !httpguts.ValidHeaderFieldName(req.Method) ||
		controlInURL(req.URL) ||
		req.ContentLength != 0 && req.Body == nil ||
		malformedHeader(req.Header) || malformedHeader(req.Trailer)
}

func malformedHeader(h http.Header) bool {
	for name, values := range h {
		bad := func(v string) bool { return !httpguts.ValidHeaderFieldValue(v) }
		if !httpguts.ValidHeaderFieldName(name) || slices.ContainsFunc(values, bad) {
			return true
		}
	}
	return false
}

// controlInURL reports whether u has a control character in a part of it that is sent as
// it is. Over HTTP/2 a server takes that for a broken connection, and net/http then tries
// one new connection after the other: it must not even be tried.
func controlInURL(u *url.URL) bool {
	return strings.ContainsFunc(u.RawQuery, isControl) || strings.ContainsFunc(u.Opaque, isControl)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
