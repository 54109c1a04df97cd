package transport

import (
	"net/http"
	"net/url"
	"strings"
)

// malformed reports whether net/http refuses to send req. That it did is an error of a
// type of its own, which cannot be told from others.
func malformed(req *http.Request) bool {
	return req.URL == nil || req.Header == nil ||
		req.Method != "" && !isToken(req.Method) ||
		controlInURL(req.URL) ||
		req.ContentLength != 0 && req.Body == nil ||
		malformedHeader(req.Header) || malformedHeader(req.Trailer)
}

func malformedHeader(h http.Header) bool {
	for name, values := range h {
		if !isToken(name) {
			return true
		}
		for _, v := range values {
			if strings.ContainsFunc(v, func(r rune) bool { return r != '\t' && isControl(r) }) {
				return true
			}
		}
	}
	return false
}

// isToken reports whether s is what RFC 9110 calls one.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// controlInURL reports whether u has a control character in a part of it that is sent as
// it is. Over HTTP/2 a server takes that for a broken connection, and net/http then tries
// one new connection after the other: it must not even be tried.
func controlInURL(u *url.URL) bool {
	return strings.ContainsFunc(u.RawQuery, isControl) || strings.ContainsFunc(u.Opaque, isControl)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
