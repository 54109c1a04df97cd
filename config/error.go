package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is what is wrong with one variable or file.
type Error struct {
	// Name is the variable's name, or "file" and the file's. It is empty for what
	// was neither, such as a Literal.
	Name string
	// Value is what was found, shortened when it is long. It is empty where nothing
	// was, and for a secret.
	Value string
	// Secret says that what was found is kept out of the error.
	Secret bool
	// Want says what was expected, where Err does not.
	Want string
	// Err is the reason. It is nil for what was found of a secret: a parser's error
	// repeats what it could not read.
	Err error
}

var (
	errNotSet  = errors.New("not set, must be set")
	errRefused = errors.New("refused, and why is not said of a secret")
)

// Error implements error, such as
//
//	ORDERS_TIMEOUT="5": want a duration such as "250ms" or "1m30s"
//	FAULT_MAX_DELAY="0s": must be positive
//	DB_PASSWORD: not set, must be set
func (e *Error) Error() string {
	reason := errRefused
	if e.Err != nil {
		reason = e.Err
	}
	if e.Want != "" {
		reason = errors.New("want " + e.Want)
	}
	switch {
	case e.Name == "":
		return reason.Error()
	case e.Secret:
		return fmt.Sprintf("%s (secret): %v", e.Name, reason)
	case e.Value == "":
		return fmt.Sprintf("%s: %v", e.Name, reason)
	default:
		return fmt.Sprintf("%s=%s: %s", e.Name, strconv.Quote(e.Value), e.unsaid(reason.Error()))
	}
}

// unsaid is what reason says besides the value, with which a check begins that knows
// nothing of an Error around it.
func (e *Error) unsaid(reason string) string {
	for _, value := range []string{strconv.Quote(e.Value), e.Value} {
		if rest, ok := strings.CutPrefix(reason, value+", "); ok {
			return rest
		}
	}
	return reason
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// refuse is the Error of a value that was found and is not good.
func refuse(name, text, want string, err error, secret bool) *Error {
	if secret {
		return &Error{Name: name, Secret: true, Want: want}
	}
	return &Error{Name: name, Value: shorten(text), Want: want, Err: err}
}

// quiet calls f. Of a secret, a panic is an error, since what it says and what the
// runtime prints of it may repeat the secret.
func quiet(secret bool, f func() error) (err error) {
	if secret {
		defer func() {
			if recover() != nil {
				err = errRefused
			}
		}()
	}
	return f()
}

// shorten keeps a file that is no setting at all from filling the log.
func shorten(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
