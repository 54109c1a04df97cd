package cli

import (
	"errors"

	"github.com/spf13/pflag"
)

// durationFlag is a flag's duration that says what one looks like.
type durationFlag struct{ pflag.Value }

// Set implements pflag.Value.
func (d durationFlag) Set(text string) error {
	if d.Value.Set(text) != nil {
		return errors.New("want a duration such as 250ms or 30s")
	}
	return nil
}

// plainDuration makes a duration's flag one that says so.
func plainDuration(f *pflag.FlagSet, name string) {
	flag := f.Lookup(name)
	flag.Value = durationFlag{flag.Value}
	if flag.DefValue == "0s" {
		flag.DefValue = "" // so that help shows none, as of other durations
	}
}
