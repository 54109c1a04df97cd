package httpproxy

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/brunt-go/brunt/internal/seeded"
)

// Rules are what a Proxy is armed with. The first rule that chooses a request
// decides what happens to it.
type Rules struct {
	// Seed decides, with a request's key, whether a share hits it. Zero is a
	// valid seed.
	Seed uint64
	// Key says what identifies a request. Default: its trace id, then its
	// ordinal.
	Key Key
	// List is tried in order.
	List []Rule
}

// Rule says which requests a fault happens to.
type Rule struct {
	// Name stands in ledgers and reports. Required.
	Name string
	// Match narrows the rule to some requests. Default: all.
	Match Match
	// Share is the share of the matching requests that is hit, from 0 to 1:
	// those whose key has a number below it.
	Share float64
	// Attempts narrows the rule to these attempts of a key, counted from 1 as
	// its requests come. Default: all.
	Attempts []int
	// Faults happen to a request that is hit, the first outermost: a Delay
	// before a Reply holds the reply back. Required.
	Faults []Fault
}

// Match says what a request must look like. The zero Match takes all.
type Match struct {
	// Methods are the methods taken, in upper case. Default: all.
	Methods []string
	// Path is the path taken: a pattern of path.Match such as
	// "/orders/*/items", or a prefix that ends in "/...". Default: all.
	Path string
	// Header are header fields and the value each must have.
	Header map[string]string
}

// CheckRules reports everything that is wrong with r, one problem a line.
func CheckRules(r Rules) error {
	var errs []error
	for i, rule := range r.List {
		where := fmt.Sprintf("rules[%d]", i)
		if rule.Name == "" {
			errs = append(errs, fmt.Errorf("%s.name: must not be empty", where))
		} else {
			where = fmt.Sprintf("rules[%q]", rule.Name)
		}
		errs = append(errs, checkRule(where, rule)...)
	}
	return errors.Join(errs...)
}

func checkRule(where string, rule Rule) []error {
	var errs []error
	if !(rule.Share >= 0 && rule.Share <= 1) { // so written that NaN fails
		errs = append(errs, fmt.Errorf("%s.share: %v, must be from 0 to 1", where, rule.Share))
	}
	for _, n := range rule.Attempts {
		if n < 1 {
			errs = append(errs, fmt.Errorf("%s.attempts: %d, attempts count from 1", where, n))
		}
	}
	for _, m := range rule.Match.Methods {
		if m == "" || m != strings.ToUpper(m) {
			errs = append(errs, fmt.Errorf("%s.methods: %q, want a method in upper case such as GET", where, m))
		}
	}
	if _, err := path.Match(rule.Match.Path, ""); err != nil {
		errs = append(errs, fmt.Errorf("%s.path: %q: %w", where, rule.Match.Path, err))
	}
	if len(rule.Faults) == 0 {
		errs = append(errs, fmt.Errorf("%s.faults: must not be empty", where))
	}
	for _, f := range rule.Faults {
		if err := f.Check(); err != nil {
			errs = append(errs, fmt.Errorf("%s.%s: %w", where, f.Kind(), err))
		}
	}
	return errs
}

// takes reports whether the rule is about r, the given attempt of its key.
func (rule *Rule) takes(r *http.Request, attempt int) bool {
	if len(rule.Attempts) > 0 && !slices.Contains(rule.Attempts, attempt) {
		return false
	}
	m := rule.Match
	if len(m.Methods) > 0 && !slices.Contains(m.Methods, r.Method) {
		return false
	}
	for name, value := range m.Header {
		if r.Header.Get(name) != value {
			return false
		}
	}
	return m.Path == "" || matchPath(m.Path, r.URL.Path)
}

func matchPath(pattern, p string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
		return p == prefix || strings.HasPrefix(p, prefix+"/")
	}
	ok, err := path.Match(pattern, p)
	return ok && err == nil
}

// Hits reports whether a share hits key under seed, as an armed proxy decides it.
// A planner uses it to say beforehand which requests will break.
func Hits(seed uint64, key string, share float64) bool {
	return seeded.UnitKey(seeded.Seed(seed), key) < share
}
