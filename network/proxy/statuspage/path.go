package statuspage

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
)

// root is the path of the first view.
const root = "/ui"

// key is what a proxy is found by.
type key struct{ session, name string }

// path is where the view of a proxy is.
func (k key) path() string {
	path := root
	if k.session != "" {
		path += "/sessions/" + url.PathEscape(k.session)
	}
	return path + "/proxies/" + url.PathEscape(k.name)
}

// id is a name as an HTML id: whatever is in it, and however long it is.
func id(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p + "\x00"))
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}
