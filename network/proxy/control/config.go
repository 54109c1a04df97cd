package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/brunt-go/brunt/network/toxic"
)

// ParseConfig reads a configuration file: a JSON array of proxies, the body of
// POST /populate, with the toxics that each is to have. What Toxiproxy ignores,
// unknown fields and attributes, is an error if strict is set, and otherwise
// ignored with a warning. It never returns proxies that Populate would refuse
// before it begins.
func ParseConfig(data []byte, strict bool) (specs []ProxySpec, warnings []string, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	var raw []json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return nil, nil, at(data, d.InputOffset(), err)
	}
	ends := d.InputOffset()
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, at(data, ends, errors.New("more than one JSON value"))
	}
	for i, one := range raw {
		var spec ProxySpec
		strictly := json.NewDecoder(bytes.NewReader(one))
		strictly.DisallowUnknownFields()
		if err := strictly.Decode(&spec); err != nil {
			err = fmt.Errorf("%w at proxy %d", err, i+1)
			spec = ProxySpec{}
			if laxErr := json.Unmarshal(one, &spec); strict || laxErr != nil {
				return nil, nil, err
			}
			warnings = append(warnings, err.Error())
		}
		specs = append(specs, spec)
	}
	for i, s := range specs {
		for _, t := range s.Toxics {
			if _, err := toxic.Parse(t.Type, t.Attributes); !strict && errors.Is(err, toxic.ErrUnknown) {
				warnings = append(warnings, fmt.Sprintf("%s at proxy %d", err, i+1))
			}
		}
	}
	check := Server{settings: DefaultSettings()}
	if _, err := check.checkList(specs, strict); err != nil {
		return nil, nil, err
	}
	return specs, warnings, nil
}

// at is err with the line and column it is about.
func at(data []byte, offset int64, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	before := data[:min(offset, int64(len(data)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%d:%d: %w", line, column, err)
}
