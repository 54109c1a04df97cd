package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fault/scenario"
)

func codec(t testing.TB) jsonscenario.Codec {
	t.Helper()
	c, err := jsonscenario.New("acme.fault")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const written = `acme.fault={%22rules%22:[{%22point%22:%22a%22%2C%22abort%22:true}]}`

// X6: the scenario first, and nothing that would be dropped.
func TestHeader(t *testing.T) {
	t.Parallel()
	many := make([]string, 64)
	for i := range many {
		many[i] = fmt.Sprintf("m%d=x", i)
	}
	rows := []struct {
		name, rest, want, err string
	}{
		{"alone", "", written, ""},
		{"with_others", "tenant=acme, user = 7 ;p=1", written + ",tenant=acme, user = 7 ;p=1", ""},
		{"in_the_place_of_another", "acme.fault=old,tenant=acme", written + ",tenant=acme", ""},
		{"one_too_many", strings.Join(many, ","), "", "member m63 would be dropped: it comes after 64 others"},
		{"too_long", "big=" + strings.Repeat("x", 9000), "", "the header would have 9072 bytes, must be at most 8192: every member of a longer one is dropped"},
		{"unreadable", "tenant=%zz,a", "", "member tenant would be dropped: it can't be read: invalid value: invalid URL escape \"%zz\"\nmember a would be dropped: it can't be read: invalid baggage list-member: \"a\""},
		{"twice", "a=1,a=2", "", "member a would be dropped: a later one of the same key takes its place"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := scenario.Header(codec(t), of(t, "a abort"), row.rest)
			if got != row.want || text(err) != row.err {
				t.Errorf("Header = %q, %q, want %q, %q", got, text(err), row.want, row.err)
			}
		})
	}
	if _, err := scenario.Header(codec(t), of(t, "*x abort"), ""); text(err) != `jsonscenario: member acme.fault: rules[0].point: "*x", must have a * at its end alone` {
		t.Errorf("Header of a bad scenario fails with %v", err)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, header := range []string{written + ",tenant=acme", "baggage: " + written + ",tenant=acme", " Baggage:" + written + ",tenant=acme "} {
		r := scenario.Read(codec(t), header)
		if !r.Found || r.Err != nil || !cmp.Equal(r.Scenario, of(t, "a abort")) {
			t.Errorf("Read(%q) = %+v", header, r)
		}
		if len(r.Members) != 2 || r.Members[0].Key != "acme.fault" || r.Members[1] != (scenario.Member{Text: "tenant=acme", Key: "tenant"}) {
			t.Errorf("Read(%q) has members %+v", header, r.Members)
		}
	}
	if r := scenario.Read(codec(t), "acme.fault={}x"); r.Found || text(r.Err) != `jsonscenario: member acme.fault: byte 2: "x" after the end` {
		t.Errorf("Read of a bad scenario = %+v", r)
	}
	if r := scenario.Read(codec(t), ""); r.Found || r.Err != nil || r.Members != nil {
		t.Errorf("Read of nothing = %+v", r)
	}
}

// X6: each way a member is lost, as a person reads it.
func TestRead_dropped(t *testing.T) {
	t.Parallel()
	many := make([]string, 64)
	for i := range many {
		many[i] = fmt.Sprintf("m%d=x", i)
	}
	rows := []struct {
		name, header string
		want         map[string]string
	}{
		{"too_long", written + ",big=" + strings.Repeat("x", 9000), map[string]string{
			"acme.fault": "the header has 9072 bytes, and every member of one over 8192 goes",
			"big":        "the header has 9072 bytes, and every member of one over 8192 goes"}},
		{"too_many", strings.Join(many, ",") + "," + written, map[string]string{"acme.fault": "it comes after 64 others"}},
		{"unreadable", "acme.fault=%zz,tenant=acme", map[string]string{"acme.fault": `it can't be read: invalid value: invalid URL escape "%zz"`}},
		{"grows", "bytes=" + strings.Repeat("%FF", 1000) + "," + written, map[string]string{
			"bytes":      "once read, the header up to member bytes has over 8192 bytes",
			"acme.fault": "once read, the header up to member bytes has over 8192 bytes"}},
		{"twice", "acme.fault={}," + written, map[string]string{"acme.fault": "a later one of the same key takes its place"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := scenario.Read(codec(t), row.header)
			got := map[string]string{}
			for _, m := range r.Members {
				if m.Dropped != "" {
					got[m.Key] = m.Dropped
				}
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("dropped (-want +got):\n%s", diff)
			}
			if r.Found != (row.name == "twice") {
				t.Errorf("a scenario arrives: %v", r.Found)
			}
		})
	}
}

// What is said to arrive is what OpenTelemetry reads, for any header.
func FuzzRead(f *testing.F) {
	f.Add("a=1,b=%FF;p, c =x,a=2,,=,%", 0)
	f.Add("acme.fault={},x", 70)
	f.Add("a=%FF%FE,", 2000)
	f.Add("a="+strings.Repeat("%FF", 1000)+",b=1", 0)
	c := codec(f)
	f.Fuzz(func(t *testing.T, value string, times int) {
		if times > 0 && times < 4096 {
			value = strings.Repeat(value+",", times) + "z=1"
		}
		value = strings.TrimSpace(value)
		r := scenario.Read(c, "baggage:"+value)
		b, _ := baggage.Parse(value)
		arrive := map[string]bool{}
		for _, m := range r.Members {
			if m.Dropped == "" {
				if arrive[m.Key] {
					t.Errorf("%q: %s arrives twice", value, m.Key)
				}
				arrive[m.Key] = true
			}
		}
		for _, m := range b.Members() {
			if !arrive[m.Key()] {
				t.Errorf("%q: %s is said to be dropped, and arrives", value, m.Key())
			}
		}
		if len(arrive) != b.Len() {
			t.Errorf("%q: %d members are said to arrive, %d do", value, len(arrive), b.Len())
		}
	})
}
