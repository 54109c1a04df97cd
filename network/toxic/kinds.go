package toxic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// kinds are the toxics a file may name. A new toxic gets a line here.
func kinds() map[string]func() Toxic {
	return map[string]func() Toxic{
		"latency":    func() Toxic { return new(Latency) },
		"bandwidth":  func() Toxic { return new(Bandwidth) },
		"slow_close": func() Toxic { return new(SlowClose) },
		"timeout":    func() Toxic { return new(Timeout) },
		"blackhole":  func() Toxic { return new(Blackhole) },
		"reset_peer": func() Toxic { return new(ResetPeer) },
		"slicer":     func() Toxic { return new(Slicer) },
		"limit_data": func() Toxic { return new(LimitData) },
		"corrupt":    func() Toxic { return new(Corrupt) },
		"noop":       func() Toxic { return new(Noop) },
		"down":       func() Toxic { return new(Down) },
	}
}

// Kinds lists the kinds Parse knows, sorted.
func Kinds() []string {
	var names []string
	for name := range kinds() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// New returns a toxic of a kind with its defaults. Some kinds need more than those
// to pass Check.
func New(kind string) (Toxic, error) {
	fresh, ok := kinds()[kind]
	if !ok {
		return nil, fmt.Errorf("%w %q, want one of %s", ErrKind, kind, strings.Join(Kinds(), ", "))
	}
	return fresh(), nil
}

// ErrKind is in an error about a kind there is not.
var ErrKind = errors.New("invalid toxic type")

// ErrUnknown is in an error about an attribute a toxic does not have.
var ErrUnknown = errors.New("unknown attribute")

// Parse reads a toxic of a kind from a JSON object of attributes, such as
// {"latency":100} for "latency". Names ignore case, attributes that are missing
// or null have their defaults. Attributes that make no sense are an error, one
// problem a line, and so are unknown ones, which match ErrUnknown. No data means
// no attributes.
func Parse(kind string, data []byte) (Toxic, error) {
	return parse(kind, nil, data, true)
}

// ParseLax is Parse, but ignores unknown attributes, as Toxiproxy does.
func ParseLax(kind string, data []byte) (Toxic, error) {
	return parse(kind, nil, data, false)
}

// Merge returns t with the attributes in data changed, as Parse reads them. t
// stays as it is, whatever is wrong with data.
func Merge(t Toxic, data []byte) (Toxic, error) { return merge(t, data, true) }

// MergeLax is Merge, but ignores unknown attributes, as Toxiproxy does.
func MergeLax(t Toxic, data []byte) (Toxic, error) { return merge(t, data, false) }

func merge(t Toxic, data []byte, strict bool) (Toxic, error) {
	before, err := Attributes(t)
	if err != nil {
		return nil, err
	}
	return parse(t.Kind(), before, data, strict)
}

func parse(kind string, before, data []byte, strict bool) (Toxic, error) {
	t, err := New(kind)
	if err != nil {
		return nil, err
	}
	if err := fill(t, before, true); err != nil {
		return nil, err
	}
	if err := fill(t, data, strict); err != nil {
		return nil, err
	}
	if err := Check(t); err != nil {
		return nil, err
	}
	return t, nil
}

// fill sets the attributes in data.
func fill(t Toxic, data []byte, strict bool) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return fmt.Errorf("attributes: %.100s, want an object", data)
	}
	attributes := t.Attributes()
	var names []string
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	var errs []error
	for _, name := range names {
		i := slices.IndexFunc(attributes, func(a Attribute) bool { return strings.EqualFold(a.Name, name) })
		switch {
		case i >= 0:
			errs = append(errs, attributes[i].parse(object[name], strict))
		case strict:
			errs = append(errs, fmt.Errorf("%.100q: %w of %s (it has %s)", name, ErrUnknown, t.Kind(), listed(attributes)))
		}
	}
	return errors.Join(errs...)
}

// listed are the names of attributes in a sentence.
func listed(attributes []Attribute) string {
	var names []string
	for _, a := range attributes {
		names = append(names, a.Name)
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// Attributes returns the attributes of t as a JSON object, in the order of
// t.Attributes.
func Attributes(t Toxic) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, a := range t.Attributes() {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(a.write())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		fmt.Fprintf(&b, "%q:%s", a.Name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
