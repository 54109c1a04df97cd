package toxic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
)

// MaxDelay is the longest a toxic may be told to wait: a day.
const MaxDelay = 24 * time.Hour

// MaxBytes is the most bytes a toxic may be told to count to: 2^53 - 1, which
// every JSON library keeps exactly.
const MaxBytes = 1<<53 - 1

// Attribute is one attribute of a toxic: its name in files, how it is read and
// written there, and its bounds.
type Attribute struct {
	// Name is the key in files.
	Name string
	// Form says what its values look like.
	Form Form
	// Unit is what a number counts, such as "ms"; of any other value, what it
	// looks like. It may be empty.
	Unit string
	// Least and Most are the bounds of an integer or a number.
	Least, Most int64
	// Words are those of a choice. The first is the default.
	Words []string

	read  func(json.RawMessage) error
	write func() any
	check func() error
}

// Form says what the values of an Attribute look like.
type Form string

// The forms.
const (
	FormInteger Form = "integer"
	FormNumber  Form = "number"
	FormBool    Form = "boolean"
	FormChoice  Form = "choice"
	FormJSON    Form = "JSON"
)

// In returns the attribute with a unit, for those who are asked for a value.
func (a Attribute) In(unit string) Attribute {
	a.Unit = unit
	return a
}

// Millis is a duration in whole milliseconds, from 0 to MaxDelay.
func Millis(name string, field *time.Duration) Attribute {
	return span(name, field, time.Millisecond).In("ms")
}

// Micros is a duration in whole microseconds, from 0 to MaxDelay.
func Micros(name string, field *time.Duration) Attribute {
	return span(name, field, time.Microsecond).In("us")
}

func span(name string, field *time.Duration, unit time.Duration) Attribute {
	return Attribute{
		Name: name,
		Form: FormInteger,
		Most: int64(MaxDelay / unit),
		read: func(data json.RawMessage) error {
			var n int64
			if err := decode(name, data, &n, "an integer"); err != nil {
				return err
			}
			if err := within(name, n, 0, int64(MaxDelay/unit)); err != nil {
				return err // before it overflows
			}
			*field = time.Duration(n) * unit
			return nil
		},
		write: func() any { return int64(*field / unit) },
		check: func() error {
			if *field < 0 || *field > MaxDelay {
				return fmt.Errorf("%s: %v, must be from 0 to %v", name, *field, MaxDelay)
			}
			return nil
		},
	}
}

// Int is a whole number from least to most.
func Int(name string, field *int64, least, most int64) Attribute {
	return Attribute{
		Name:  name,
		Form:  FormInteger,
		Least: least,
		Most:  most,
		read: func(data json.RawMessage) error {
			return decode(name, data, field, "an integer")
		},
		write: func() any { return *field },
		check: func() error { return within(name, *field, least, most) },
	}
}

// Share is a number from 0 to 1.
func Share(name string, field *float64) Attribute {
	return Attribute{
		Name: name,
		Form: FormNumber,
		Most: 1,
		read: func(data json.RawMessage) error { return decode(name, data, field, "a number") },
		write: func() any {
			if math.IsNaN(*field) || math.IsInf(*field, 0) {
				return nil
			}
			return *field
		},
		check: func() error {
			if !(*field >= 0 && *field <= 1) { // so written that NaN fails
				return fmt.Errorf("%s: %v, must be from 0 to 1", name, *field)
			}
			return nil
		},
	}
}

// Bool is true or false.
func Bool(name string, field *bool) Attribute {
	return Attribute{
		Name:  name,
		Form:  FormBool,
		read:  func(data json.RawMessage) error { return decode(name, data, field, "true or false") },
		write: func() any { return *field },
		check: func() error { return nil },
	}
}

// Choice is one of some words; the empty string stands for the first.
func Choice(name string, field *string, words ...string) Attribute {
	return Attribute{
		Name:  name,
		Form:  FormChoice,
		Words: words,
		read:  func(data json.RawMessage) error { return decode(name, data, field, "a string") },
		write: func() any {
			if *field == "" {
				return words[0]
			}
			return *field
		},
		check: func() error {
			if *field != "" && !slices.Contains(words, *field) {
				return fmt.Errorf("%s: %q, must be one of %s", name, *field, strings.Join(words, ", "))
			}
			return nil
		},
	}
}

// Value is anything JSON can hold, with a check of its own that names the field.
// An empty map or slice is none, as if it had never been set.
func Value[T any](name string, field *T, check func(T) error) Attribute {
	return Attribute{
		Name: name,
		Form: FormJSON,
		read: func(data json.RawMessage) error {
			var v T // a map or slice is replaced, never added to
			if err := decode(name, data, &v, "another type"); err != nil {
				return err
			}
			if r := reflect.ValueOf(&v).Elem(); (r.Kind() == reflect.Map || r.Kind() == reflect.Slice) && r.Len() == 0 {
				r.SetZero()
			}
			*field = v
			return nil
		},
		write: func() any { return *field },
		check: func() error { return check(*field) },
	}
}

func within(name string, n, least, most int64) error {
	if n < least || n > most {
		return fmt.Errorf("%s: %d, must be from %d to %d", name, n, least, most)
	}
	return nil
}

// decode reads data into v. null leaves v as it is, as everywhere in JSON.
func decode(name string, data json.RawMessage, v any, want string) error {
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	if err := json.Unmarshal(data, v); err != nil {
		return &formError{name, data, want}
	}
	return nil
}

// formError is about a value of another form than its attribute's.
type formError struct {
	name string
	data json.RawMessage
	want string
}

func (e *formError) Error() string { return fmt.Sprintf("%s: %.100s, want %s", e.name, e.data, e.want) }

// parse reads a value. Only if strict is set an error has the unit too: of the
// others, clients of Toxiproxy know the words.
func (a Attribute) parse(data json.RawMessage, strict bool) error {
	err := a.read(data)
	var form *formError
	if !strict || a.Unit == "" || !errors.As(err, &form) {
		return err
	}
	switch a.Form {
	case FormInteger:
		form.want += " of " + cmp.Or(map[string]string{"ms": "milliseconds", "us": "microseconds"}[a.Unit], a.Unit)
	case FormJSON:
		form.want = a.Unit
	default:
	}
	return form
}
