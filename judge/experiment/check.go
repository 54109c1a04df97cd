package experiment

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// FieldError is one thing wrong with an experiment.
type FieldError struct {
	// Field is where, as a path in the experiment file: "faults.delay.at".
	Field string
	// Problem says what is wrong, what was expected, and how to mend it.
	Problem string
}

// Error implements error.
func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

// Check reports everything that is wrong with e, as FieldErrors joined with
// errors.Join. It changes nothing.
func Check(e Experiment) error {
	c := &checker{e: e}
	c.parts()
	c.load()
	c.outcomes()
	c.faults()
	c.limits()
	c.judge()
	return errors.Join(c.errs...)
}

type checker struct {
	e    Experiment
	errs []error
}

func (c *checker) wrong(field, format string, args ...any) {
	c.errs = append(c.errs, &FieldError{field, fmt.Sprintf(format, args...)})
}

// text checks a text that may refer to names.
func (c *checker) text(field, s string, data any) string {
	out, err := expand(s, data)
	if err != nil {
		c.wrong(field, "%v", err)
	}
	return out
}

// words checks the words of a command.
func (c *checker) words(field string, words []string, names Names) {
	for i, word := range words {
		c.text(fmt.Sprintf("%s[%d]", field, i), word, names)
	}
}

func (c *checker) listen(field, addr string) {
	if addr == "" {
		return
	}
	if _, _, err := net.SplitHostPort(addr); err != nil {
		c.wrong(field, "%q, want host:port, port 0 for any free one", addr)
	}
}

func (c *checker) parts() {
	if c.e.Name == "" {
		c.wrong("name", "must not be empty")
	}
	names, seen := c.e.sampleNames(), map[string]bool{}
	for _, s := range c.e.Services {
		at := "services." + s.Name
		switch {
		case s.Name == "":
			c.wrong("services", "a service has no name")
		case seen[s.Name]:
			c.wrong(at, "the name is taken")
		case s.Handler == nil && len(s.Exec) == 0:
			c.wrong(at, "needs exec: a command to start")
		case s.Handler != nil && len(s.Exec) > 0:
			c.wrong(at, "has a command and a handler, want one")
		}
		seen[s.Name] = true
		c.words(at+".exec", s.Exec, names)
		c.words(at+".args", s.Args, names)
		for name, value := range s.Env {
			c.text(at+".env."+name, value, names)
		}
		c.text(at+".ready", s.Ready, names)
		c.listen(at+".listen", s.Listen)
	}
	seen = map[string]bool{}
	for _, p := range c.e.Proxies {
		at := "proxies." + p.Name
		if p.Name == "" || seen[p.Name] {
			c.wrong(at, "needs a name of its own")
		}
		seen[p.Name] = true
		c.listen(at+".listen", p.Listen)
		if up := c.text(at+".upstream", p.Upstream, names); up != "" || p.Upstream == "" {
			s := httpproxy.DefaultSettings()
			s.Name, s.Upstream = "x", up
			if err := httpproxy.CheckSettings(s); err != nil {
				c.wrong(at, "%v", err)
			}
		}
	}
}

// maxConcurrency bounds how many calls a load may have under way.
const maxConcurrency = 10_000

func (c *checker) load() {
	l := c.e.Load
	closed, open := l.Requests != 0, l.Rate != 0 || l.Duration != 0
	switch {
	case closed && open:
		c.wrong("load", "has requests and rate or duration, want requests (closed loop), or rate and duration (open loop)")
	case !closed && !open:
		c.wrong("load", "needs requests (closed loop), or rate and duration (open loop)")
	case closed && l.Requests < 1:
		c.wrong("load.requests", "%d, must be >= 1", l.Requests)
	case open && (l.Rate <= 0 || l.Duration <= 0):
		c.wrong("load", "an open loop needs a rate and a duration, both above 0")
	case open && l.total() < 1:
		c.wrong("load.duration", "%v at %v/s is not one call", l.Duration, l.Rate)
	}
	if l.Concurrency < 0 || l.Concurrency > maxConcurrency {
		c.wrong("load.concurrency", "%d, must be from 1 to %d", l.Concurrency, maxConcurrency)
	}
	if l.Timeout < 0 {
		c.wrong("load.timeout", "%v, must be > 0", l.Timeout)
	}
	if l.URL == "" {
		c.wrong("load.http.url", "must not be empty")
	}
	caller, err := newCaller(l, c.e.Seed, c.e.sampleNames(), nil)
	if err != nil {
		c.wrong("load.http", "%v", err)
		return
	}
	if _, _, err := caller.request(noContext, 0); err != nil {
		c.wrong("load.http", "%v", err)
	}
}

func (c *checker) outcomes() {
	full := false
	for _, o := range c.e.Outcomes {
		if o.Name != oracle.Full && o.Name != oracle.Degraded {
			c.wrong("outcomes."+o.Name, "want full or degraded")
		}
		full = full || o.Name == oracle.Full
	}
	if !full {
		c.wrong("outcomes", "needs full: the answer of a system with nothing broken")
	}
}

func (c *checker) faults() {
	proxies, seen := map[string]bool{}, map[string]bool{}
	for _, p := range c.e.Proxies {
		proxies[p.Name] = true
	}
	if len(c.e.Faults) == 0 {
		c.wrong("faults", "must not be empty: nothing would be tried")
	}
	for _, f := range c.e.Faults {
		at := "faults." + f.Name
		if f.Name == "" || f.Name == Baseline || seen[f.Name] {
			c.wrong(at, "needs a name of its own, other than %q", Baseline)
		}
		seen[f.Name] = true
		if !proxies[f.At] {
			c.wrong(at+".at", "%q is no proxy of this plan", f.At)
		}
		rule := f.Rule
		rule.Name = f.Name
		if err := httpproxy.CheckRules(httpproxy.Rules{List: []httpproxy.Rule{rule}}); err != nil {
			c.wrong(at, "%v", err)
		}
		if rule.Share == 0 {
			c.wrong(at+".share", "0, must be > 0: nothing would be tried")
		}
		if most := c.e.Limits.MaxShare; most > 0 && rule.Share > most {
			c.wrong(at+".share", "%v is above limits.max_share %v", rule.Share, most)
		}
		if longest := c.e.Limits.MaxDelay; longest > 0 && held(rule) > longest {
			c.wrong(at, "holds requests for %v, above limits.max_delay %v", held(rule), longest)
		}
		if err := c.e.checkFlake(f); err != nil {
			c.wrong(at, "%v", err)
		}
	}
}

// held is how long a rule's delays hold a request.
func held(rule httpproxy.Rule) (sum time.Duration) {
	for _, f := range rule.Faults {
		if d, ok := f.(*httpproxy.Delay); ok {
			sum += d.Longest()
		}
	}
	return sum
}

func (c *checker) limits() {
	l := c.e.Limits
	if l.MaxFaulted < 0 {
		c.wrong("limits.max_faulted", "%d, must be >= 1", l.MaxFaulted)
	}
	if !(l.MaxShare >= 0 && l.MaxShare <= 1) {
		c.wrong("limits.max_share", "%v, must be from 0 to 1", l.MaxShare)
	}
	if l.MaxDelay < 0 || l.Lease < 0 {
		c.wrong("limits", "max_delay %v and lease %v must be > 0", l.MaxDelay, l.Lease)
	}
	if !(l.Flake >= 0 && l.Flake <= 1) {
		c.wrong("limits.flake", "%v, must be from 0 to 1", l.Flake)
	}
	if c.e.Tries < 0 {
		c.wrong("plan.tries", "%d, must be >= 1", c.e.Tries)
	}
}

func (c *checker) judge() {
	j := c.e.Judge
	if j.Noise != nil && !(*j.Noise >= 0 && *j.Noise < 1) {
		c.wrong("verdict.noise", "%v, must be from 0 to below 1", *j.Noise)
	}
	if j.Lag < 0 {
		c.wrong("verdict.lag", "%v, must be >= 0", j.Lag)
	}
	if len(j.Require) == 0 {
		c.wrong("verdict.require", "must not be empty: a verdict that demands nothing says nothing")
	}
	for _, e := range j.Scan {
		if !(e >= 0 && e <= 1) {
			c.wrong("verdict.scan", "%v, must be from 0 to 1", e)
		}
	}
	services := map[string]bool{}
	for _, s := range c.e.Services {
		services[s.Name] = true
	}
	seen := map[string]bool{}
	for _, v := range c.e.Variants {
		at := "variants." + v.Name
		if v.Name == "" || seen[v.Name] {
			c.wrong(at, "needs a name of its own")
		}
		seen[v.Name] = true
		for name, o := range v.Services {
			if !services[name] {
				c.wrong(at+".services."+name, "is no service of this plan")
			}
			c.words(at+".services."+name+".args", o.Args, c.e.sampleNames())
		}
	}
}
