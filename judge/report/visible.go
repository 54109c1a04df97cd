package report

import (
	"reflect"
	"time"

	"github.com/brunt-go/brunt/internal/visible"
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
		text := visible.Line(v.String())
		if v.Type() == reflect.TypeFor[Block]() {
			text = visible.Block(v.String())
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
