package config

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Parse is the text that v holds, read by parse. A v that is not set is not parsed.
func Parse[T any](v Value[string], parse func(string) (T, error)) Value[T] {
	return parsed(v, "", parse)
}

// Duration is a text such as "250ms" or "1m30s", as [time.ParseDuration] reads it.
func Duration(v Value[string]) Value[time.Duration] {
	return parsed(v, `a duration such as "250ms" or "1m30s"`, time.ParseDuration)
}

// Int is a whole number in decimal digits.
func Int(v Value[string]) Value[int] {
	return parsed(v, "a whole number", strconv.Atoi)
}

// Bool is true or false, as [strconv.ParseBool] reads it: 1, t, T, TRUE, true, True,
// and 0, f, F, FALSE, false, False.
func Bool(v Value[string]) Value[bool] {
	return parsed(v, "true or false", strconv.ParseBool)
}

// URL is an absolute URL with a host.
func URL(v Value[string]) Value[*url.URL] {
	return parsed(v, `a URL such as "https://payments:8443"`, func(text string) (*url.URL, error) {
		u, err := url.Parse(text)
		switch {
		case err != nil:
			return nil, err
		case u.Scheme == "" || u.Hostname() == "":
			return nil, errors.New("no scheme and host")
		}
		return u, nil
	})
}

// List is texts with commas between them. Spaces around them and empty ones are left
// out, so a List may be empty.
func List(v Value[string]) Value[[]string] {
	return parsed(v, "", func(text string) ([]string, error) {
		var list []string
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
		return list, nil
	})
}

// parsed is Parse. want says what was expected; where it is empty, parse's error does.
func parsed[T any](v Value[string], want string, parse func(string) (T, error)) Value[T] {
	return Value[T]{name: v.name, read: func(ctx context.Context, secret bool) (found[T], error) {
		in, err := v.resolve(ctx, secret)
		if err != nil || !in.set {
			return found[T]{secret: in.secret}, err
		}
		secret = secret || in.secret
		out := found[T]{set: true, secret: secret, text: in.text}
		err = quiet(secret, func() (err error) {
			out.value, err = parse(in.value)
			return err
		})
		if err != nil {
			return found[T]{}, refuse(v.name, in.text, want, err, secret)
		}
		return out, nil
	}}
}
