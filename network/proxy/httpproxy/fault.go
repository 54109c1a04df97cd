package httpproxy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/brunt-go/brunt/judge/ledger"
)

// Fault is what happens to a request a rule chose. It must be safe for
// concurrent use; settings are plain fields, set before use.
type Fault interface {
	// Kind names the fault in files and ledgers, such as "delay".
	Kind() string
	// Check reports settings that make no sense.
	Check() error
	// Apply carries the fault out on x and returns the answer the caller
	// gets. next asks the upstream, or the next fault of the rule. An error
	// such as ErrReset ends the exchange without an answer.
	Apply(x *Exchange, next Next) (*http.Response, error)
	// Witnessed reports whether what an observer saw of an exchange shows
	// that the fault happened. It must not say so for an untouched exchange.
	Witnessed(seen ledger.Exchange) bool
}

// Holder is a Fault that may make its caller wait.
type Holder interface {
	// Holds reports whether, with its settings, it does.
	Holds() bool
}

func holds(f Fault) bool {
	h, ok := f.(Holder)
	return ok && h.Holds()
}

// Next goes on with an exchange, to the upstream in the end.
type Next func() (*http.Response, error)

// kinds are the faults a file may name. A new fault gets a line here.
func kinds() map[string]func() Fault {
	return map[string]func() Fault{
		"delay":    func() Fault { return new(Delay) },
		"reply":    func() Fault { return new(Reply) },
		"hang":     func() Fault { return new(Hang) },
		"reset":    func() Fault { return new(Reset) },
		"truncate": func() Fault { return new(Truncate) },
		"lost":     func() Fault { return new(Lost) },
	}
}

// Kinds lists the kinds ParseFault knows, sorted.
func Kinds() []string {
	var names []string
	for name := range kinds() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ParseFault reads a fault of a kind from JSON, such as "240ms" for a delay,
// {"status":503} for a reply, true for a hang. Unknown fields are errors.
func ParseFault(kind string, data []byte) (Fault, error) {
	newFault, ok := kinds()[kind]
	if !ok {
		return nil, fmt.Errorf("fault %q, want one of %s", kind, strings.Join(Kinds(), ", "))
	}
	f := newFault()
	if err := json.Unmarshal(data, f); err != nil {
		return nil, err
	}
	return f, f.Check()
}

// FaultNames joins the kinds of faults, in order: "delay+reply".
func FaultNames(faults []Fault) string {
	names := make([]string, len(faults))
	for i, f := range faults {
		names[i] = f.Kind()
	}
	return strings.Join(names, "+")
}

// unmarshalSwitch reads a fault's settings when the short form is `true`: an
// object goes into settings, which must not implement json.Unmarshaler.
func unmarshalSwitch(data []byte, settings any) error {
	switch string(bytes.TrimSpace(data)) {
	case "true":
		return nil
	case "false", "null":
		return fmt.Errorf("%s, want true: to leave the fault out, remove its line", data)
	}
	return unmarshalStrict(data, settings)
}

func unmarshalStrict(data []byte, settings any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(settings)
}
