package config

import (
	"context"
	"errors"
	"io/fs"
	"strings"
)

// Env is the environment variable name. One that is empty is not set, as
// OpenTelemetry has it for its own variables.
func Env(environment map[string]string, name string) Value[string] {
	return Value[string]{name: name, read: func(context.Context, bool) (found[string], error) {
		text := environment[name]
		return found[string]{value: text, set: text != "", text: text}, nil
	}}
}

// File is what the file name holds, without the line ends it closes with. read reads
// it, as os.ReadFile does. One that does not exist or is empty is not set.
func File(read func(name string) ([]byte, error), name string) Value[string] {
	called := "file " + name
	return Value[string]{name: called, read: func(context.Context, bool) (found[string], error) {
		data, err := read(name)
		if errors.Is(err, fs.ErrNotExist) {
			return found[string]{}, nil
		}
		if err != nil {
			return found[string]{}, &Error{Name: called, Err: err}
		}
		text := strings.TrimRight(string(data), "\r\n")
		return found[string]{value: text, set: text != "", text: text}, nil
	}}
}
