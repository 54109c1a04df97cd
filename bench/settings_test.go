package main

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParseSettings(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, in string
		want     Settings
		err      string // part of the error, "" for none
	}{
		{"defaults", "", DefaultSettings(), ""},
		{"all", "-rounds 3 -seconds 0.5 -only load,http -profile /tmp/p", Settings{3, 0.5, []string{"load", "http"}, "/tmp/p"}, ""},
		{"no_rounds", "-rounds 0", Settings{}, "rounds: 0, must be >= 1"},
		{"no_seconds", "-seconds 0", Settings{}, "seconds: 0, must be > 0"},
		{"not_a_number", "-seconds NaN", Settings{}, "seconds: NaN, must be > 0"},
		{"unknown_part", "-only disk", Settings{}, `only: "disk", want some of http,load,memory,matrix`},
		{"all_problems", "-rounds -1 -only http,", Settings{}, "rounds: -1, must be >= 1\nonly: \"\""},
		{"argument", "http", Settings{}, `unexpected argument "http"`},
		{"unknown_flag", "-size 3", Settings{}, "flag provided but not defined: -size"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseSettings(strings.Fields(row.in), &bytes.Buffer{})
			if row.err != "" {
				if err == nil || !strings.Contains(err.Error(), row.err) {
					t.Errorf("parseSettings(%q) = %v, want an error with %q", row.in, err, row.err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, row.want) {
				t.Errorf("parseSettings(%q) = %+v, %v; want %+v", row.in, got, err, row.want)
			}
		})
	}
}

func TestSettings_limit(t *testing.T) {
	t.Parallel()
	if got := DefaultSettings().limit(); got > 2*time.Minute {
		t.Errorf("a run with the defaults may take %v, want at most 2m", got)
	}
}
