package config_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/brunt-go/brunt/config"
)

// Whatever a variable holds, a parser takes it or says in one line why not.
func FuzzParsers(f *testing.F) {
	for _, seed := range []string{"", "1", "-1", "250ms", "true", "https://payments:8443", "a,b", "\xff", "a\nb", "http://[::1", strings.Repeat("x", 200)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		env := config.Env(map[string]string{"X": text}, "X")
		_, duration := config.Duration(env).Read(t.Context())
		_, number := config.Int(env).Read(t.Context())
		_, truth := config.Bool(env).Read(t.Context())
		u, address := config.URL(env).Read(t.Context())
		list, listErr := config.List(env).Read(t.Context())
		for _, err := range []error{duration, number, truth, address} {
			var e *config.Error
			switch {
			case err == nil:
			case !errors.As(err, &e) || e.Name != "X":
				t.Errorf("%q: %v is no Error of X", text, err)
			case strings.Contains(err.Error(), "\n") || len(err.Error()) > 600:
				t.Errorf("%q: the error is no short line: %v", text, err)
			case utf8.ValidString(text) && !utf8.ValidString(err.Error()):
				t.Errorf("%q: the error is cut inside a character: %v", text, err)
			}
		}
		if u != nil && (u.Scheme == "" || u.Hostname() == "") {
			t.Errorf("URL(%q) = %v, which has no scheme and host", text, u)
		}
		for _, part := range list {
			if part == "" || part != strings.TrimSpace(part) || strings.Contains(part, ",") {
				t.Errorf("List(%q) has %q", text, part)
			}
		}
		if listErr != nil {
			t.Errorf("List(%q) = %v", text, listErr)
		}
	})
}

// No text makes the error of a secret say what it holds.
func FuzzSecret(f *testing.F) {
	f.Add("hunter2-and-more")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 8 || strings.Contains("X (secret): want a duration such as \"250ms\" or \"1m30s\"", text) {
			return
		}
		_, err := config.Duration(config.Env(map[string]string{"X": text}, "X").Secret()).Validate(func(d time.Duration) error {
			return errors.New(text)
		}).Read(t.Context())
		if err != nil && strings.Contains(err.Error(), text) {
			t.Errorf("the error tells the secret: %v", err)
		}
	})
}
