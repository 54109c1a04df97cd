package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/brunt-go/brunt/network/toxic"
)

// ParseConfig reads a configuration file: a JSON array of proxies, the body of
// POST /populate, with the toxics that each is to have. What Toxiproxy ignores,
// unknown fields and attributes, is an error if strict is set, and otherwise
// ignored with a warning; so is a proxy that one further on has the name of. It never
// returns proxies that Populate would refuse before it begins.
func ParseConfig(data []byte, strict bool) (specs []ProxySpec, warnings []string, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // editors of Windows begin with it
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, nil, at(data, err)
	}
	numbers := make(map[string]int) // of proxies by name
	for i, raw := range list {
		var spec ProxySpec
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&spec); err != nil {
			spec = ProxySpec{}
			if laxErr := json.Unmarshal(raw, &spec); strict || laxErr != nil {
				if !strict {
					err = laxErr // the first one may be about what is ignored
				}
				return nil, nil, fmt.Errorf("%w at proxy %d", ofType(err, "Proxy"), i+1)
			}
			warnings = append(warnings, fmt.Sprintf("%s at proxy %d", err, i+1))
		}
		for _, t := range spec.Toxics {
			if _, err := toxic.Parse(t.Type, t.Attributes); !strict && errors.Is(err, toxic.ErrUnknown) {
				warnings = append(warnings, fmt.Sprintf("%s at proxy %d", err, i+1))
			}
		}
		if other, ok := numbers[spec.Name]; ok && spec.Name != "" {
			if strict {
				return nil, nil, fmt.Errorf("name: %q, must not be that of proxy %d too at proxy %d", spec.Name, other, i+1)
			}
			warnings = append(warnings, fmt.Sprintf("proxy %d, as far as proxy %d of the same name, %q, says otherwise", other, i+1, spec.Name))
		}
		numbers[spec.Name] = i + 1
		specs = append(specs, spec)
	}
	check := Server{settings: DefaultSettings()}
	if _, err := check.checkList(specs, strict); err != nil {
		return nil, nil, err
	}
	return specs, warnings, nil
}

// at is err with the line and column it is about, as far as that is known.
func at(data []byte, err error) error {
	var syntax *json.SyntaxError
	var other *json.UnmarshalTypeError
	switch {
	case errors.As(err, &other):
		return fmt.Errorf(`%s, want a list of proxies such as [{"name": "a", "listen": ":1", "upstream": "b:2"}]`, other.Value)
	case !errors.As(err, &syntax):
		return err
	}
	before := data[:min(max(syntax.Offset-1, 0), int64(len(data)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%d:%d: %w", line, column, err)
}
