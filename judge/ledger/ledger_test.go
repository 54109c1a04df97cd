package ledger

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var sample = []Entry{
	{At: time.Millisecond, Trace: "4bf92f3577b34da6a3ce929d0e0e4736", Key: "3", Point: "catalog", Attempt: 1, Event: Decision{Exchange: 1, Rule: "delay", Fault: "delay", Injected: true}},
	{At: 2 * time.Millisecond, Key: "3", Point: "catalog", Event: Exchange{ID: 1, Method: "GET", Path: "/record", Status: 200, FirstByte: 5, Took: 7, Bytes: 12, Upstream: 200, End: EndAnswered}},
	{At: 3 * time.Millisecond, Key: "3", Event: Call{Index: 3, Outcome: "full", Status: 200, Took: 9}},
	{At: 4 * time.Millisecond, Event: Note{What: NoteAborted, Text: "dropped_share > 0.5"}},
}

func TestLedger_concurrent(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l := New(start)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 100 {
				l.Record(start.Add(time.Duration(i)), Entry{Event: Call{Index: worker*100 + i}})
			}
		})
	}
	wg.Wait()
	seen := map[int]bool{}
	for entry, call := range All[Call](l.Entries()) {
		seen[call.Index] = true
		if want := time.Duration(call.Index % 100); entry.At != want {
			t.Fatalf("entry of call %d At = %v, want %v", call.Index, entry.At, want)
		}
	}
	if len(seen) != 800 {
		t.Errorf("%d distinct calls kept, want 800", len(seen))
	}
}

func TestLedger_entriesAreACopy(t *testing.T) {
	t.Parallel()
	l := New(time.Time{})
	l.Record(time.Time{}, Entry{Key: "a", Event: Note{}})
	l.Entries()[0].Key = "b"
	if got := l.Entries()[0].Key; got != "a" {
		t.Errorf("a reader changed the ledger: Key = %q, want a", got)
	}
}

func TestWriteRead_roundTrip(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	if err := Write(&file, sample); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(file.String(), "\n"); n != len(sample) {
		t.Errorf("%d lines for %d entries", n, len(sample))
	}
	got, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample, got); diff != "" {
		t.Errorf("Read(Write(entries)) (-want +got):\n%s", diff)
	}
}

func TestRead_badLines(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, in, want string }{
		{"not_json", "{\n", "line 1: unexpected end"},
		{"unknown_kind", "\n" + `{"kind":"wish","event":{}}`, `line 2: kind "wish", want call`},
		{"wrong_type", `{"kind":"call","event":{"index":"three"}}`, "line 1: json: cannot unmarshal string"},
		{"no_event", `{"kind":"call"}`, "line 1: unexpected end"},
		{"too_long", `{"kind":"` + strings.Repeat("x", maxLine) + `"}`, "line 1: longer than"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(strings.NewReader(row.in))
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Read = %v, want an error with %q", err, row.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	var file bytes.Buffer
	if err := Write(&file, sample); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := Write(&again, entries); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
	})
}

func ExampleAll() {
	l := New(time.Time{})
	l.Record(time.Time{}.Add(time.Second), Entry{Key: "7", Event: Call{Index: 7, Outcome: "degraded"}})
	for entry, call := range All[Call](l.Entries()) {
		fmt.Println(entry.At, entry.Key, call.Outcome)
	}
	// Output: 1s 7 degraded
}
