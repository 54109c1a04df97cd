package toxic

import (
	"slices"
	"testing"
)

func TestAbout(t *testing.T) {
	t.Parallel()
	for _, kind := range Kinds() {
		if About(kind) == "" {
			t.Errorf("About(%q) is empty", kind)
		}
	}
	if len(abouts()) != len(Kinds()) {
		t.Errorf("%d kinds are told about, want the %d there are", len(abouts()), len(Kinds()))
	}
}

// Whoever asks a person for attributes finds all there is to ask in them.
func TestAttribute_asked(t *testing.T) {
	t.Parallel()
	for _, kind := range Kinds() {
		it, err := New(kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range it.Attributes() {
			var ok bool
			switch a.Form {
			case FormInteger:
				ok = a.Unit != "" && a.Least < a.Most && a.Words == nil
			case FormNumber:
				ok = a.Least < a.Most && a.Words == nil
			case FormChoice:
				ok = len(a.Words) > 1
			case FormBool:
				ok = a.Words == nil
			case FormJSON:
				ok = a.Unit != ""
			}
			if !ok {
				t.Errorf("%s.%s: form %q, unit %q, from %d to %d, words %q", kind, a.Name, a.Form, a.Unit, a.Least, a.Most, a.Words)
			}
		}
	}
}

// The bounds that are told are those that are kept.
func TestAttribute_bounds(t *testing.T) {
	t.Parallel()
	latency, slicer := new(Latency).Attributes()[0], new(Slicer).Attributes()[0]
	if latency.Least != 0 || latency.Most != 86_400_000 || latency.Unit != "ms" {
		t.Errorf("latency: from %d to %d %s, want from 0 to 86400000 ms", latency.Least, latency.Most, latency.Unit)
	}
	if slicer.Least != 1 || slicer.Most != MaxBytes || slicer.Unit != "bytes" {
		t.Errorf("average_size: from %d to %d %s, want from 1 to %d bytes", slicer.Least, slicer.Most, slicer.Unit, int64(MaxBytes))
	}
	if words := new(Down).Attributes()[0].Words; !slices.Equal(words, []string{"refuse", "rst", "mirror"}) {
		t.Errorf("mode: %q", words)
	}
}

// Emptied, a toxic is as if the attribute had never been set: clients that read
// none but integers see no empty map.
func TestMerge_emptied(t *testing.T) {
	t.Parallel()
	it, err := Parse("latency", []byte(`{"distribution":"table","percentiles":{"50":20}}`))
	if err != nil {
		t.Fatal(err)
	}
	if it, err = Merge(it, []byte(`{"distribution":"uniform","percentiles":{}}`)); err != nil {
		t.Fatal(err)
	}
	got, err := Attributes(it)
	want, err2 := Attributes(new(Latency))
	if string(got) != string(want) || err != nil || err2 != nil {
		t.Errorf("Attributes = %s, %v, want %s", got, err, want)
	}
}

func TestNew_unknownKind(t *testing.T) {
	t.Parallel()
	if it, err := New("nonsense"); err == nil {
		t.Errorf("New(nonsense) = %v, want an error", it)
	}
}
