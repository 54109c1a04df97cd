package control

import (
	"errors"
	"fmt"

	"github.com/brunt-go/brunt/network/proxy"
)

// Settings describe a Server.
type Settings struct {
	// Proxy is what every proxy has that is not said when it is made. Its Name,
	// Listen and Upstream are not used. Its Seed is the server's.
	Proxy proxy.Settings `json:"proxy"`
	// MaxProxies is how many proxies there may be, MaxToxics how many toxics
	// each may have. Must be >= 1. Defaults: 10000, 100.
	MaxProxies int `json:"max_proxies"`
	MaxToxics  int `json:"max_toxics"`
	// MaxBody is how many bytes a request may have. Must be >= 1. Default:
	// 8388608.
	MaxBody int64 `json:"max_body"`
	// Strict refuses what Toxiproxy ignores: unknown fields and attributes, and
	// what comes after a request's JSON. A request can ask for it with
	// "?strict=true". Default: false.
	Strict bool `json:"strict"`
	// Token, when set, must come with every request, as a bearer token or as
	// the password of basic authentication. Default: none is asked for.
	Token string `json:"-"`
	// Hosts are names, besides those of this machine's loopback, that a request
	// may call the server by. A page in a browser can reach a server by a name
	// of its own, so without a Token only these are answered. Default: none.
	Hosts []string `json:"hosts"`
}

// DefaultSettings returns the defaults.
func DefaultSettings() Settings {
	return Settings{Proxy: proxy.DefaultSettings(), MaxProxies: 10_000, MaxToxics: 100, MaxBody: 8 << 20}
}

// CheckSettings reports everything that is wrong with s, one problem a line.
func CheckSettings(s Settings) error {
	var problems []error
	p := s.Proxy
	p.Name, p.Upstream = "any", "any"
	problems = append(problems, proxy.CheckSettings(p))
	if s.MaxProxies < 1 {
		problems = append(problems, fmt.Errorf("control.max_proxies: %d, must be >= 1", s.MaxProxies))
	}
	if s.MaxToxics < 1 {
		problems = append(problems, fmt.Errorf("control.max_toxics: %d, must be >= 1", s.MaxToxics))
	}
	if s.MaxBody < 1 {
		problems = append(problems, fmt.Errorf("control.max_body: %d, must be >= 1", s.MaxBody))
	}
	return errors.Join(problems...)
}
