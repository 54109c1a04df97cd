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
	quick := quickSettings()
	rows := []struct {
		name, in string
		want     Settings
		err      string // part of the error, "" for none
	}{
		{"defaults", "", DefaultSettings(), ""},
		{"all", "-rounds 3 -seconds 0.5 -only idle,rates", Settings{3, 0.5, []string{"idle", "rates"}}, ""},
		{"quick", "-quick", quick, ""},
		{"quick_but", "-quick -rounds 4", Settings{4, quick.Seconds, parts()}, ""},
		{"but_quick", "-seconds 2 -quick", Settings{quick.Rounds, 2, parts()}, ""},
		{"no_rounds", "-rounds 0", Settings{}, "rounds: 0, must be >= 1"},
		{"no_seconds", "-seconds 0", Settings{}, "seconds: 0, must be > 0"},
		{"not_a_number", "-seconds NaN", Settings{}, "seconds: NaN, must be > 0"},
		{"unknown_part", "-only disk", Settings{}, `only: "disk", want some of rates,idle,latency,bandwidth,control`},
		{"argument", "rates", Settings{}, `unexpected argument "rates"`},
		{"unknown_flag", "-size 3", Settings{}, "flag provided but not defined: -size"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var said bytes.Buffer
			got, err := parseSettings(strings.Fields(row.in), &said)
			switch {
			case row.err == "" && (err != nil || !reflect.DeepEqual(got, row.want)):
				t.Errorf("parseSettings(%q) = %+v, %v, want %+v", row.in, got, err, row.want)
			case row.err != "" && (err == nil || !strings.Contains(err.Error(), row.err)):
				t.Errorf("parseSettings(%q) = %v, want an error with %q", row.in, err, row.err)
			}
		})
	}
}

func TestSettings_limit(t *testing.T) {
	t.Parallel()
	s := Settings{Rounds: 2, Seconds: 0.5}
	if got, want := s.limit(), 270*time.Second; got != want {
		t.Errorf("the limit is %v, want %v", got, want)
	}
	if got := (Settings{Rounds: 7}).few(); got != 3 {
		t.Errorf("few are %d, want 3", got)
	}
}
