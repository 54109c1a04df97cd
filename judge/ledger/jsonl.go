package ledger

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// line is an entry as it stands in a file: one JSON object a line, the event's
// own fields under the name of its kind.
type line struct {
	At      time.Duration   `json:"at_ns"`
	Kind    string          `json:"kind"`
	Trace   string          `json:"trace,omitempty"`
	Key     string          `json:"key,omitempty"`
	Point   string          `json:"point,omitempty"`
	Attempt int             `json:"attempt,omitempty"`
	Event   json.RawMessage `json:"event"`
}

// Write writes entries to w, one JSON object a line.
func Write(w io.Writer, entries []Entry) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	for i, e := range entries {
		if e.Event == nil {
			return fmt.Errorf("write ledger entry %d: it has no event", i+1)
		}
		event, err := json.Marshal(e.Event)
		if err != nil {
			return fmt.Errorf("write ledger entry %d: %w", i+1, err)
		}
		err = enc.Encode(line{e.At, e.Event.Kind(), e.Trace, e.Key, e.Point, e.Attempt, event})
		if err != nil {
			return fmt.Errorf("write ledger entry %d: %w", i+1, err)
		}
	}
	return out.Flush()
}

// maxLine bounds a line of a file that is read, in bytes.
const maxLine = 1 << 20

// Read reads what Write wrote. The error names the line.
func Read(r io.Reader) ([]Entry, error) {
	var entries []Entry
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	n := 0
	for in.Scan() {
		n++
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		e, err := readLine(in.Bytes())
		if err != nil {
			return nil, fmt.Errorf("read ledger: line %d: %w", n, err)
		}
		entries = append(entries, e)
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("read ledger: line %d: longer than %d bytes", n+1, maxLine)
	} else if err != nil {
		return nil, fmt.Errorf("read ledger: after line %d: %w", n, err)
	}
	return entries, nil
}

func readLine(data []byte) (Entry, error) {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return Entry{}, err
	}
	e := Entry{At: l.At, Trace: l.Trace, Key: l.Key, Point: l.Point, Attempt: l.Attempt}
	var err error
	switch l.Kind {
	case Call{}.Kind():
		e.Event, err = readEvent[Call](l.Event)
	case Decision{}.Kind():
		e.Event, err = readEvent[Decision](l.Event)
	case Exchange{}.Kind():
		e.Event, err = readEvent[Exchange](l.Event)
	case Note{}.Kind():
		e.Event, err = readEvent[Note](l.Event)
	default:
		return Entry{}, fmt.Errorf("kind %q, want call, decision, exchange or note", l.Kind)
	}
	return e, err
}

func readEvent[E Event](data json.RawMessage) (Event, error) {
	var event E
	err := json.Unmarshal(data, &event)
	return event, err
}
