package baggageheader

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/baggage"
)

// member finds the members of one key.
type member string

func (m member) MayBeIn(text string) bool { return strings.Contains(text, string(m)) }

func (m member) StripBaggage(b baggage.Baggage) (baggage.Baggage, bool) {
	return b.DeleteMember(string(m)), b.Member(string(m)).Key() != ""
}

func TestStrip(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("x=1,", 100)
	rows := []struct {
		name string
		in   []string
		want []string
	}{
		{"nothing", nil, nil},
		{"none", []string{"a=1 , b = 2;p"}, []string{"a=1 , b = 2;p"}},
		{"one", []string{"a=1 , f=x, b = 2;p"}, []string{"a=1 , b = 2;p"}},
		{"spaced", []string{"a=1, f = x;p=1 "}, []string{"a=1"}},
		{"alone", []string{"f=x"}, nil},
		{"twice", []string{"f=x,a=1,f=y"}, []string{"a=1"}},
		{"unreadable", []string{"f=%zz,a=%zz"}, []string{"a=%zz"}},
		{"behind_too_many", []string{many + "f=x"}, []string{strings.TrimSuffix(many, ",")}},
		{"in_a_value", []string{"a=f,ff=1"}, []string{"a=f,ff=1"}},
		{"own_line", []string{"a=1", "f=x", "b=2"}, []string{"a=1", "b=2"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			Set(header, row.in)
			Strip(header, member("f"))
			if got := header[Name]; !slices.Equal(got, row.want) {
				t.Errorf("Strip(%q) leaves %q, want %q", row.in, got, row.want)
			}
		})
	}
}

// A scenario behind more members than OpenTelemetry reads is read all the same.
func TestRead(t *testing.T) {
	t.Parallel()
	lines := []string{strings.Repeat("x=1,", 100) + "f=there"}
	members, _, found := Split(lines, member("f"))
	if got := Read(lines, members).Member("f").Value(); !found || got != "there" {
		t.Errorf("read %q, found %v; want there", got, found)
	}
}
