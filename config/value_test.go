package config_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/config"
)

// text is what a Value comes to: what was read, or the error.
func text[T any](ctx context.Context, v config.Value[T]) string {
	got, err := v.Read(ctx)
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("%v", got)
}

func positive(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%v, must be positive", d)
	}
	return nil
}

func TestValue(t *testing.T) {
	t.Parallel()
	environment := map[string]string{
		"WAIT": "250ms", "UNIT": "5", "ZERO": "0s", "EMPTY": "", "WORD": "abc", "PORT": "8443",
		"ON": "true", "URL": "https://payments:8443/v1", "HOST": "payments:8443", "PATH": "/v1", "LIST": " a, b ,,c",
		"COMMAS": ",,", "LONG": strings.Repeat("ä", 500), "LINES": "a\nb",
	}
	env := func(name string) config.Value[string] { return config.Env(environment, name) }
	rows := []struct {
		name string
		read func(context.Context) string
		want string
	}{
		{"text", func(ctx context.Context) string { return text(ctx, env("WORD")) }, "abc"},
		{"not_set", func(ctx context.Context) string { return text(ctx, env("GONE")) }, ""},
		{"not_set_duration", func(ctx context.Context) string { return text(ctx, config.Duration(env("GONE"))) }, "0s"},
		{"zero_value", func(ctx context.Context) string { return text(ctx, config.Value[int]{}.Default(3)) }, "3"},
		{"literal", func(ctx context.Context) string { return text(ctx, config.Literal(7).Default(8)) }, "7"},
		{"literal_refused", func(ctx context.Context) string { return text(ctx, config.Literal(-time.Second).Validate(positive)) },
			"error: -1s, must be positive"},

		{"default", func(ctx context.Context) string { return text(ctx, config.Duration(env("GONE")).Default(time.Second)) }, "1s"},
		{"default_unused", func(ctx context.Context) string { return text(ctx, config.Duration(env("WAIT")).Default(time.Second)) }, "250ms"},
		{"empty_is_not_set", func(ctx context.Context) string { return text(ctx, config.Duration(env("EMPTY")).Default(time.Second)) }, "1s"},
		{"default_then_validate", func(ctx context.Context) string {
			return text(ctx, config.Duration(env("GONE")).Default(-time.Second).Validate(positive))
		}, `error: GONE="-1s": must be positive`},
		{"validate_then_default", func(ctx context.Context) string {
			return text(ctx, config.Duration(env("GONE")).Validate(positive).Default(-time.Second))
		}, "-1s"},
		{"required", func(ctx context.Context) string { return text(ctx, env("GONE").Required()) }, "error: GONE: not set, must be set"},
		{"required_empty", func(ctx context.Context) string { return text(ctx, env("EMPTY").Required()) }, "error: EMPTY: not set, must be set"},
		{"required_after_parse", func(ctx context.Context) string { return text(ctx, config.Int(env("GONE")).Required()) },
			"error: GONE: not set, must be set"},
		{"required_set", func(ctx context.Context) string { return text(ctx, env("WORD").Required()) }, "abc"},
		{"not_set_not_checked", func(ctx context.Context) string { return text(ctx, config.Duration(env("GONE")).Validate(positive)) }, "0s"},

		// R56, the half of it that is this package's.
		{"refused", func(ctx context.Context) string {
			return text(ctx, config.Parse(env("ZERO"), time.ParseDuration).Default(time.Second).Validate(positive))
		}, `error: ZERO="0s": must be positive`},
		{"parse", func(ctx context.Context) string { return text(ctx, config.Parse(env("PORT"), strconv.Atoi)) }, "8443"},
		{"parse_error", func(ctx context.Context) string { return text(ctx, config.Parse(env("WORD"), strconv.Atoi)) },
			`error: WORD="abc": strconv.Atoi: parsing "abc": invalid syntax`},

		{"duration_error", func(ctx context.Context) string { return text(ctx, config.Duration(env("UNIT"))) },
			`error: UNIT="5": want a duration such as "250ms" or "1m30s"`},
		{"int", func(ctx context.Context) string { return text(ctx, config.Int(env("PORT"))) }, "8443"},
		{"int_error", func(ctx context.Context) string { return text(ctx, config.Int(env("WAIT"))) }, `error: WAIT="250ms": want a whole number`},
		{"bool", func(ctx context.Context) string { return text(ctx, config.Bool(env("ON"))) }, "true"},
		{"bool_error", func(ctx context.Context) string { return text(ctx, config.Bool(env("WORD"))) }, `error: WORD="abc": want true or false`},
		{"url", func(ctx context.Context) string { return text(ctx, config.URL(env("URL"))) }, "https://payments:8443/v1"},
		{"url_no_scheme", func(ctx context.Context) string { return text(ctx, config.URL(env("HOST"))) },
			`error: HOST="payments:8443": want a URL such as "https://payments:8443"`},
		{"url_path", func(ctx context.Context) string { return text(ctx, config.URL(env("PATH"))) },
			`error: PATH="/v1": want a URL such as "https://payments:8443"`},
		{"list", func(ctx context.Context) string { return text(ctx, config.List(env("LIST"))) }, "[a b c]"},
		{"list_empty", func(ctx context.Context) string { return text(ctx, config.List(env("COMMAS"))) }, "[]"},
		{"list_unset", func(ctx context.Context) string { return text(ctx, config.List(env("GONE")).Default([]string{"x"})) }, "[x]"},

		{"or_first", func(ctx context.Context) string { return text(ctx, env("WORD").Or(env("PORT"))) }, "abc"},
		{"or_second", func(ctx context.Context) string { return text(ctx, env("GONE").Or(env("PORT"))) }, "8443"},
		{"or_neither", func(ctx context.Context) string { return text(ctx, env("GONE").Or(env("EMPTY")).Required()) },
			"error: GONE or EMPTY: not set, must be set"},
		{"or_wrong", func(ctx context.Context) string { return text(ctx, config.Int(env("WORD")).Or(config.Literal(1))) },
			`error: WORD="abc": want a whole number`},

		{"long_value", func(ctx context.Context) string { return text(ctx, config.Int(env("LONG"))) },
			`error: LONG="` + strings.Repeat("ä", 40) + `…": want a whole number`},
		{"control_characters", func(ctx context.Context) string { return text(ctx, config.Int(env("LINES"))) },
			`error: LINES="a\nb": want a whole number`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := row.read(t.Context()); got != row.want {
				t.Errorf("read %s, want %s", got, row.want)
			}
		})
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	files := map[string]string{"/etc/token": "abc\r\n", "/etc/empty": "\n", "/etc/spaces": " a \n\n"}
	errDenied := errors.New("permission denied")
	read := func(name string) ([]byte, error) {
		if name == "/etc/denied" {
			return nil, errDenied
		}
		if data, ok := files[name]; ok {
			return []byte(data), nil
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	rows := []struct{ name, in, want string }{
		{"line_end_removed", "/etc/token", "abc"},
		{"spaces_kept", "/etc/spaces", " a "},
		{"empty_is_not_set", "/etc/empty", "none"},
		{"absent_is_not_set", "/etc/gone", "none"},
		{"unreadable", "/etc/denied", "error: file /etc/denied: permission denied"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := text(t.Context(), config.File(read, row.in).Default("none")); got != row.want {
				t.Errorf("File(%s) = %q, want %q", row.in, got, row.want)
			}
		})
	}
	if _, err := config.File(read, "/etc/denied").Read(t.Context()); !errors.Is(err, errDenied) {
		t.Errorf("%v does not wrap the reason", err)
	}
}

// What a Value says of itself is there for programs too.
func TestError_fields(t *testing.T) {
	t.Parallel()
	_, err := config.Int(config.Env(map[string]string{"PORT": "x"}, "PORT")).Read(t.Context())
	var e *config.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *Error", err)
	}
	if e.Name != "PORT" || e.Value != "x" || e.Secret || e.Want != "a whole number" || !errors.Is(err, strconv.ErrSyntax) {
		t.Errorf("Error = %+v", e)
	}
}

func TestStruct_allErrorsAtOnce(t *testing.T) {
	t.Parallel()
	type settings struct {
		port    int
		host    string
		timeout time.Duration
	}
	environment := map[string]string{"PORT": "x", "TIMEOUT": "-1s", "URL": "nowhere"}
	_, err := config.Struct(func(r *config.Resolver) settings {
		return settings{
			port:    config.Get(r, config.Int(config.Env(environment, "PORT"))),
			timeout: config.Get(r, config.Duration(config.Env(environment, "TIMEOUT")).Validate(positive)),
			// The URL is nil here. The panic must not hide what is wrong.
			host: config.Get(r, config.URL(config.Env(environment, "URL"))).Host,
		}
	}).Read(t.Context())
	want := []string{
		`PORT="x": want a whole number`,
		`TIMEOUT="-1s": must be positive`,
		`URL="nowhere": want a URL such as "https://payments:8443"`,
	}
	if err == nil || !slices.Equal(strings.Split(err.Error(), "\n"), want) {
		t.Errorf("Read() = %v, want %q", err, want)
	}
	var e *config.Error
	if !errors.As(err, &e) {
		t.Errorf("%v has no *Error", err)
	}
}

func TestStruct_panicOfTheFunction(t *testing.T) {
	t.Parallel()
	defer func() {
		if p := recover(); p != "mine" {
			t.Errorf("recovered %v, want the function's own panic", p)
		}
	}()
	_, _ = config.Struct(func(*config.Resolver) int { panic("mine") }).Read(t.Context())
}

func TestStruct_nested(t *testing.T) {
	t.Parallel()
	environment := map[string]string{"A": "x", "B": "y"}
	inner := config.Struct(func(r *config.Resolver) []int {
		return []int{config.Get(r, config.Int(config.Env(environment, "A"))), config.Get(r, config.Int(config.Env(environment, "B")))}
	})
	_, err := config.Struct(func(r *config.Resolver) error {
		config.Get(r, inner)
		config.Get(r, config.Env(environment, "C").Required())
		return nil
	}).Read(t.Context())
	want := "A=\"x\": want a whole number\nB=\"y\": want a whole number\nC: not set, must be set"
	if err == nil || err.Error() != want {
		t.Errorf("Read() = %v, want %v", err, want)
	}
}

// A check of the whole sees what the parts came to.
func TestStruct_validate(t *testing.T) {
	t.Parallel()
	type bounds struct{ low, high int }
	v := config.Struct(func(*config.Resolver) bounds { return bounds{3, 1} }).Validate(func(b bounds) error {
		return fmt.Errorf("low %d is above high %d", b.low, b.high)
	})
	if got, want := text(t.Context(), v), "error: low 3 is above high 1"; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
}

const secret = "hunter2"

// A secret is in no error, whoever made the error and wherever Secret stands.
func TestSecret(t *testing.T) {
	t.Parallel()
	env := config.Env(map[string]string{"PASSWORD": secret}, "PASSWORD")
	repeats := func(s string) error { return fmt.Errorf("%q is too short", s) }
	fails := func(s string) (string, error) { return "", repeats(s) }
	shouts := func(s string) (string, error) { panic(s) }
	rows := []struct {
		name string
		v    config.Value[string]
		want string
	}{
		{"first", config.Parse(env.Secret(), fails), "PASSWORD (secret): refused"},
		{"last", config.Parse(env, fails).Secret(), "PASSWORD (secret): refused"},
		{"check_before", env.Validate(repeats).Secret(), "PASSWORD (secret): refused"},
		{"check_after", env.Secret().Validate(repeats), "PASSWORD (secret): refused"},
		{"check_after_parse", config.Parse(env.Secret(), url.PathUnescape).Validate(repeats), "PASSWORD (secret): refused"},
		{"default", config.Value[string]{}.Secret().Default(secret).Validate(repeats), "refused"},
		{"or", config.Value[string]{}.Or(env.Secret()).Validate(repeats), "PASSWORD"},
		{"or_after", config.Env(nil, "TOKEN").Secret().Or(env).Validate(repeats), "TOKEN or PASSWORD (secret): refused"},
		{"or_after_parse", config.Parse(config.Env(nil, "TOKEN").Secret().Or(env), fails), "TOKEN or PASSWORD (secret): refused"},
		{"or_checked", config.Env(nil, "TOKEN").Secret().Or(env.Validate(repeats)), "PASSWORD (secret): refused"},
		{"or_default", config.Env(nil, "TOKEN").Secret().Or(config.Env(nil, "T")).Default(secret).Validate(repeats), "TOKEN or T (secret): refused"},
		{"panic", config.Parse(env, shouts).Secret(), "PASSWORD (secret): refused"},
		{"required", config.Env(nil, "PASSWORD").Secret().Required(), "PASSWORD: not set, must be set"},
		{"struct", config.Struct(func(r *config.Resolver) string { return config.Get(r, env.Secret()) }).Validate(repeats), "refused"},
		{"secret_struct", config.Struct(func(r *config.Resolver) string { return config.Get(r, env.Validate(repeats)) }).Secret(), "PASSWORD (secret): refused"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := row.v.Read(t.Context())
			if err == nil {
				t.Fatal("no error")
			}
			for e := err; e != nil; e = errors.Unwrap(e) {
				for _, said := range []string{e.Error(), fmt.Sprintf("%+v", e), fmt.Sprintf("%#v", e)} {
					if strings.Contains(said, secret) {
						t.Errorf("the error tells the secret: %s", said)
					}
				}
			}
			if row.name != "or" && !strings.Contains(err.Error(), row.want) {
				t.Errorf("Read() = %v, want %q in it", err, row.want)
			}
		})
	}
	if got, err := env.Secret().Read(t.Context()); got != secret || err != nil {
		t.Errorf("Read() = %q, %v, want the secret", got, err)
	}
}

// What a secret must look like may be said, as long as what it is is not.
func TestSecret_want(t *testing.T) {
	t.Parallel()
	v := config.Int(config.Env(map[string]string{"PIN": secret}, "PIN").Secret())
	if got, want := text(t.Context(), v), "error: PIN (secret): want a whole number"; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
}
