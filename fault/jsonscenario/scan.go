package jsonscenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// scanner reads JSON of a known shape: it takes each value as the type it must
// have, or says what is there instead. Its depth is that of the grammar, and it
// keeps no more than the text it is given.
type scanner struct {
	text string
	at   int // the next byte
}

// end reports what follows the value that was read.
func (in *scanner) end() error {
	if in.space(); in.at < len(in.text) {
		return fmt.Errorf("byte %d: %s after the end", in.at, excerpt(in.text[in.at:]))
	}
	return nil
}

// object reads an object and calls value for each field, which reads its value.
func (in *scanner) object(name string, value func(field string) error) error {
	if !in.next('{') {
		return in.must(name, "an object")
	}
	var seen [16]string // more than any object of the grammar has
	fields := seen[:0]
	for first := true; !in.next('}'); first = false {
		if !first && !in.next(',') {
			return in.unexpected("a comma or the end of the object")
		}
		field, err := in.quoted()
		if err != nil {
			return err
		}
		if !in.next(':') {
			return in.unexpected("a colon")
		}
		for _, f := range fields {
			if f == field {
				return &fieldError{bare(field), "comes twice"}
			}
		}
		fields = append(fields, field)
		if err := value(field); err != nil {
			return err
		}
	}
	return nil
}

// array reads an array and calls element for each element, which reads it.
func (in *scanner) array(field string, element func(i int) error) error {
	if !in.next('[') {
		return in.must(field, "an array")
	}
	for i := 0; !in.next(']'); i++ {
		if i > 0 && !in.next(',') {
			return in.unexpected("a comma or the end of the array")
		}
		if err := element(i); err != nil {
			return err
		}
	}
	return nil
}

// str reads a string.
func (in *scanner) str(field string) (string, error) {
	if in.peek() != '"' {
		return "", in.must(field, "text")
	}
	return in.quoted()
}

// boolean reads true or false.
func (in *scanner) boolean(field string) (bool, error) {
	switch {
	case in.word("true"):
		return true, nil
	case in.word("false"):
		return false, nil
	}
	return false, in.must(field, "true or false")
}

// null reads null, if it is there.
func (in *scanner) null() bool { return in.word("null") }

// whole reads a whole number from 0 to most, in plain digits.
func (in *scanner) whole(field, of string, most uint64) (uint64, error) {
	in.space()
	start := in.at
	literal := in.literal()
	n, err := strconv.ParseUint(literal, 10, 64)
	if err != nil || n > most || len(literal) > 1 && literal[0] == '0' {
		in.at = start
		if of != "" {
			of = " of " + of
		}
		return 0, in.must(field, fmt.Sprintf("a whole number%s, 0 to %d", of, most))
	}
	return n, nil
}

// share reads a number above 0.
func (in *scanner) share(field string) (float64, error) {
	in.space()
	start := in.at
	literal := in.literal()
	n, err := strconv.ParseFloat(literal, 64)
	// JSON has fewer spellings of a number than Go. A literal is no text, and
	// what ParseFloat takes of it is a number or a word such as Inf.
	if err != nil || !json.Valid([]byte(literal)) || n <= 0 || n > 1 {
		in.at = start
		return 0, in.must(field, "a number above 0 and at most 1")
	}
	return n, nil
}

// literal reads what is no text, object or array: a number or a word.
func (in *scanner) literal() string {
	in.space()
	start := in.at
	for in.at < len(in.text) && !strings.ContainsRune(" \t\r\n,:[]{}\"", rune(in.text[in.at])) {
		in.at++
	}
	return in.text[start:in.at]
}

func (in *scanner) word(w string) bool {
	in.space()
	start := in.at
	if in.literal() == w {
		return true
	}
	in.at = start
	return false
}

// quoted reads a string.
func (in *scanner) quoted() (string, error) {
	if !in.next('"') {
		return "", in.unexpected("text")
	}
	start, plain := in.at, true
	for ; in.at < len(in.text); in.at++ {
		switch c := in.text[in.at]; {
		case c == '"':
			in.at++
			if plain {
				return in.text[start : in.at-1], nil
			}
			return in.unescape(start - 1)
		case c == '\\':
			plain = false
			in.at++ // what it escapes, a quote above all
		case c < ' ':
			return "", fmt.Errorf("byte %d: %q in text, must be escaped", in.at, c)
		}
	}
	return "", fmt.Errorf("byte %d: text without an end", start-1)
}

// unescape returns the string whose quotes enclose in.text[start:in.at].
func (in *scanner) unescape(start int) (s string, err error) {
	if json.Unmarshal([]byte(in.text[start:in.at]), &s) != nil {
		return "", fmt.Errorf("byte %d: %s is no JSON text", start, excerpt(in.text[start:in.at]))
	}
	return s, nil
}

// next skips space and then c, if it is there.
func (in *scanner) next(c byte) bool {
	if in.peek() != c {
		return false
	}
	in.at++
	return true
}

// peek is the next byte that is no space, or 0 at the end.
func (in *scanner) peek() byte {
	if in.space(); in.at < len(in.text) {
		return in.text[in.at]
	}
	return 0
}

func (in *scanner) space() {
	for in.at < len(in.text) {
		switch in.text[in.at] {
		case ' ', '\t', '\r', '\n':
			in.at++
		default:
			return
		}
	}
}

// must is the error of a value that is not what it must be: of a field, unless
// its name is empty.
func (in *scanner) must(field, want string) error {
	var have string
	switch c := in.peek(); {
	case c == 0 || field == "":
		return in.unexpected(want)
	case c == '{':
		have = "an object"
	case c == '[':
		have = "an array"
	case c == '"':
		s, err := in.quoted()
		if err != nil {
			return err
		}
		have = excerpt(s)
	default:
		have = bare(in.literal())
	}
	return &fieldError{field, have + ", must be " + want}
}

func (in *scanner) unexpected(want string) error {
	if in.space(); in.at >= len(in.text) {
		return errors.New("ends early: must go on with " + want)
	}
	return fmt.Errorf("byte %d: %s, must be %s", in.at, excerpt(in.text[in.at:]), want)
}

// excerpt quotes the start of s. Errors end up in telemetry, and s may be as
// long as its writer liked.
func excerpt(s string) string {
	const enough = 48
	if len(s) > enough {
		return strconv.Quote(s[:enough]) + "..."
	}
	return strconv.Quote(s)
}

// bare is excerpt without the quotes, where a short plain word needs none.
func bare(s string) string {
	quoted := excerpt(s)
	if quoted == `"`+s+`"` {
		return s
	}
	return quoted
}
