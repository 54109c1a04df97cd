package statuspage

import (
	"slices"
	"strconv"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/toxic"
)

// toxicForm is the form that adds a toxic or changes one.
type toxicForm struct {
	ID, Action string
	// New says that it adds one.
	New bool
	// Toxic is the name of the one it changes.
	Toxic string
	// Kind is the type that is chosen, of Kinds.
	Kind  string
	Kinds []kindFields
	// Stream is the direction that is chosen.
	Stream string
	// Toxicity and Rest are the fields that every type has; Rest is folded.
	Toxicity field
	Rest     []field
	// Unfold says that something in Rest is set.
	Unfold bool
	Failed *failure
}

// kindFields are the fields of a type of toxic.
type kindFields struct {
	Kind, About string
	Fields      []field
}

// usual is the type that is chosen before anybody chooses.
const usual = "latency"

func newAddForm(k key, failed *failure) toxicForm {
	f := toxicForm{ID: "add", Action: k.path() + "/toxics", New: true, Kind: usual, Stream: string(toxic.Downstream)}
	kinds := toxic.Kinds()
	if !slices.Contains(kinds, usual) {
		f.Kind = kinds[0]
	}
	for _, kind := range kinds {
		f.Kinds = append(f.Kinds, newKindFields(f.ID, control.Toxic{Type: kind}))
	}
	f.Toxicity = newToxicity(f.ID, 1)
	f.Rest = append([]field{
		{ID: "add-name", Name: "name", Label: "name", Mode: "text", Hint: "if empty, its type and stream"},
		{ID: "add-lease", Name: "lease", Label: "lease", Mode: "text", Hint: "removed after so long, such as 30s, unless renewed"},
	}, newSelection(f.ID, toxic.Selection{})...)
	f.fill(failed)
	return f
}

func newEditForm(action string, t control.Toxic, failed *failure) toxicForm {
	f := toxicForm{
		ID: "edit-" + id(t.Name), Action: action, Toxic: t.Name, Kind: t.Type, Stream: string(t.Stream),
	}
	f.Kinds = []kindFields{newKindFields(f.ID, t)}
	f.Toxicity = newToxicity(f.ID, t.Toxicity)
	f.Rest = newSelection(f.ID, t.Selection)
	f.fill(failed)
	return f
}

func newKindFields(form string, t control.Toxic) kindFields {
	k := kindFields{Kind: t.Type, About: toxic.About(t.Type)}
	it, err := toxic.New(t.Type)
	if err != nil {
		return k // never: it is of the engine's own
	}
	has, defaults := texts(t)
	for _, a := range it.Attributes() {
		text := has[a.Name]
		if t.Name == "" && text == defaults[a.Name] && a.Form != toxic.FormBool && a.Form != toxic.FormChoice {
			text = "" // a new one: empty is the default
		}
		k.Fields = append(k.Fields, newField(form, t.Type, a, text))
	}
	return k
}

func newToxicity(form string, share float64) field {
	return field{
		ID: form + "-toxicity", Name: "toxicity", Label: "toxicity", Mode: "decimal",
		Hint: "share of connections, 0 to 1", Value: strconv.FormatFloat(share, 'g', -1, 64),
	}
}

// newSelection are the fields of a selection.
func newSelection(form string, s toxic.Selection) []field {
	source := ""
	if s.Source.IsValid() {
		source = s.Source.String()
	}
	fields := []field{
		{Name: "connections.first", Label: "first connection", Mode: "numeric", Hint: "counted from 1", Value: unlessZero(s.Connections.First)},
		{Name: "connections.last", Label: "last connection", Mode: "numeric", Value: unlessZero(s.Connections.Last)},
		{Name: "connections.every", Label: "one connection in", Mode: "numeric", Value: unlessZero(s.Connections.Every)},
		{Name: "count", Label: "connections at most", Mode: "numeric", Hint: "then it is healed", Value: unlessZero(s.Count)},
		{Name: "after_bytes", Label: "after bytes", Mode: "numeric", Hint: "so many pass first", Value: unlessZero(s.AfterBytes)},
		{Name: "source", Label: "clients in", Mode: "text", Hint: "a network such as 10.0.0.0/8", Value: source},
	}
	for i := range fields {
		fields[i].ID = form + "-" + fields[i].Name
	}
	return fields
}

func unlessZero[T int64 | uint64](n T) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}

// fill puts back what was typed, if it failed, each problem beside its field.
func (f *toxicForm) fill(failed *failure) {
	for _, field := range f.Rest {
		f.Unfold = f.Unfold || !f.New && field.Value != ""
	}
	if f.Failed = failed.of(f.ID); f.Failed == nil {
		return
	}
	typed := f.Failed.typed
	if f.New {
		f.Kind, f.Stream = typed.Get("type"), typed.Get("stream")
	}
	f.Failed.settle(f.names())
	var told []string
	put := func(field *field) {
		var problems []string
		if name := field.named(); !slices.Contains(told, name) { // an attribute before a field of all types
			problems = f.Failed.about(name)
			told = append(told, name)
		}
		field.fill(typed, problems)
	}
	for i, k := range f.Kinds {
		for j := range k.Fields {
			if k.Kind == f.Kind {
				put(&f.Kinds[i].Fields[j])
			} else {
				k.Fields[j].fill(typed, nil)
			}
		}
	}
	put(&f.Toxicity)
	for i := range f.Rest {
		put(&f.Rest[i])
		f.Unfold = f.Unfold || f.Rest[i].Value != "" || len(f.Rest[i].Problems) > 0
	}
}

// names are those by which the server speaks of the fields that are shown.
func (f *toxicForm) names() []string {
	fields := append([]field{f.Toxicity}, f.Rest...)
	for _, k := range f.Kinds {
		if k.Kind == f.Kind {
			fields = append(fields, k.Fields...)
		}
	}
	var names []string
	for _, field := range fields {
		names = append(names, field.named())
	}
	return names
}
