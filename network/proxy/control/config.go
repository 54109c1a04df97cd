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
// ignored with a warning. It never returns proxies that Populate would refuse
// before it begins.
func ParseConfig(data []byte, strict bool) (specs []ProxySpec, warnings []string, err error) {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, nil, at(data, err)
	}
	for i, raw := range list {
		var spec ProxySpec
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&spec); err != nil {
			spec = ProxySpec{}
			if laxErr := json.Unmarshal(raw, &spec); strict || laxErr != nil {
				return nil, nil, fmt.Errorf("%w at proxy %d", err, i+1)
			}
			warnings = append(warnings, fmt.Sprintf("%s at proxy %d", err, i+1))
		}
		for _, t := range spec.Toxics {
			if _, err := toxic.Parse(t.Type, t.Attributes); !strict && errors.Is(err, toxic.ErrUnknown) {
				warnings = append(warnings, fmt.Sprintf("%s at proxy %d", err, i+1))
			}
		}
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
	if !errors.As(err, &syntax) {
		return err
	}
	before := data[:min(max(syntax.Offset-1, 0), int64(len(data)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%d:%d: %w", line, column, err)
}
