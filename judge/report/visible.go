package report

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// visible returns a copy of r in which every text is safe to show: control
// characters and invisible marks are spelt out. It walks the whole struct, so
// that no field can be forgotten.
func (r *Report) visible() *Report {
	out, _ := visibleValue(reflect.ValueOf(r)).Interface().(*Report)
	return out
}

func visibleValue(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		text := line(v.String())
		if v.Type() == reflect.TypeFor[Block]() {
			text = block(v.String())
		}
		out.SetString(text)
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(visibleValue(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(visibleValue(v.Index(i)))
			}
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return v
		}
		for i := range v.NumField() {
			out.Field(i).Set(visibleValue(v.Field(i)))
		}
	default:
		return v
	}
	return out
}

// line makes s one line of text in which everything can be seen.
func line(s string) string {
	return spell(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		return r
	}, s))
}

// colours are what programs write to colour their output. Nothing is lost
// without them.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// block makes s lines of text in which everything can be seen.
func block(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return spell(colours.ReplaceAllString(s, ""))
}

// spell spells out what cannot be seen or would act on a terminal, except line
// ends and tabs.
func spell(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || !hidden(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// hidden reports whether r acts instead of being seen: control characters, marks
// that reorder text or join it invisibly, and what XML refuses. The joiners that
// Persian and Indic scripts are written with stay.
func hidden(r rune) bool {
	if ' ' <= r && r <= '~' || r == '\u200c' || r == '\u200d' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point)
}
