package cli

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// daemonSettings are the flags of the daemon.
type daemonSettings struct {
	host, port     string
	config         string
	seed           string
	runtimeMetrics bool
	proxyMetrics   bool
	version        bool
	tokenFile      string
	noToken        bool
	allowHosts     []string
	control        control.Settings
}

func defaultDaemonSettings() *daemonSettings {
	return &daemonSettings{control: control.DefaultSettings()}
}

func (s *daemonSettings) flags(f *pflag.FlagSet) {
	f.StringVar(&s.host, "host", "localhost", "host to listen on; one that others can reach needs --token-file or --no-token")
	f.StringVar(&s.port, "port", "8474", "port to listen on, 0 for a free one")
	f.StringVar(&s.config, "config", "", "JSON file of proxies, and their toxics, to start with")
	f.StringVar(&s.seed, "seed", "", "number that decides which connections a toxic hits (default a random one, which is printed)")
	f.BoolVar(&s.runtimeMetrics, "runtime-metrics", false, "metrics of the Go runtime and the process at /metrics too")
	f.BoolVar(&s.proxyMetrics, "proxy-metrics", true, "metrics of the proxies at /metrics")
	f.BoolVar(&s.version, "version", false, "print the version")
	f.BoolVar(&s.noToken, "no-token", false, "let whoever reaches --host drive it, without a token")
	f.StringSliceVar(&s.allowHosts, "allow-host", nil, "name this machine may be called by in a request, besides localhost")
	f.BoolVar(&s.control.Strict, "strict", false, "refuse unknown fields and attributes, which Toxiproxy ignores")
	f.IntVar(&s.control.Proxy.Buffer, "buffer", s.control.Proxy.Buffer, "bytes each direction of a connection may hold")
	f.DurationVar(&s.control.Proxy.DialTimeout, "dial-timeout", s.control.Proxy.DialTimeout, "how long an upstream may take to accept")
	plainDuration(f, "dial-timeout")
	f.IntVar(&s.control.Proxy.MaxConnections, "max-connections", s.control.Proxy.MaxConnections, "how many connections of a proxy may be open")
	f.IntVar(&s.control.MaxProxies, "max-proxies", s.control.MaxProxies, "how many proxies there may be")
	f.IntVar(&s.control.MaxToxics, "max-toxics", s.control.MaxToxics, "how many toxics a proxy may have")
}

// settings are what the flags mean, or what is wrong with them.
func (s *daemonSettings) settings() (control.Settings, error) {
	c := s.control
	var err error
	if c.Proxy.Seed, err = seedOf(s.seed); err != nil {
		return c, err
	}
	if _, err := strconv.ParseUint(s.port, 10, 16); err != nil {
		return c, fmt.Errorf("--port %.50q, must be from 0 to 65535", s.port)
	}
	c.Hosts = s.allowHosts
	if s.tokenFile != "" {
		if c.Token, err = readToken(s.tokenFile); err != nil {
			return c, err
		}
	}
	if c.Token == "" && !loopback(s.host) {
		if !s.noToken {
			return c, fmt.Errorf("--host %s: others can reach it and break what they like: "+
				"give a --token-file, or --no-token if they may", s.host)
		}
		c.Hosts = append(c.Hosts, "*")
	}
	return c, control.CheckSettings(c)
}

// seedOf reads a seed. A random one is small enough that every JSON library keeps
// it exactly. toxiproxy-server's may be negative.
func seedOf(text string) (uint64, error) {
	if text == "" {
		return rand.Uint64N(1 << 53), nil //nolint:forbidigo // where seeds come from
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("--seed %.50q, want a whole number", text)
	}
	return uint64(n), nil
}

// loopback reports whether only this machine can reach a host.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// address is where the daemon listens.
func (s *daemonSettings) address() string { return net.JoinHostPort(s.host, s.port) }
