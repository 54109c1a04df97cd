package unit

import (
	"encoding/json"
	"testing"
	"time"
)

func TestParseShare(t *testing.T) {
	t.Parallel()
	rows := []struct {
		in   string
		want float64
		ok   bool
	}{
		{"0", 0, true}, {"0.2", 0.2, true}, {"5%", 0.05, true}, {"100%", 1, true}, {"1", 1, true},
		{"1.01", 0, false}, {"101%", 0, false}, {"-0.1", 0, false}, {"NaN", 0, false}, {"", 0, false}, {"%", 0, false}, {"five", 0, false},
	}
	for _, row := range rows {
		got, err := ParseShare(row.in)
		if got != row.want || (err == nil) != row.ok {
			t.Errorf("ParseShare(%q) = %v, %v, want %v, ok %v", row.in, got, err, row.want, row.ok)
		}
	}
}

func TestParseRate(t *testing.T) {
	t.Parallel()
	rows := []struct {
		in   string
		want float64
		ok   bool
	}{
		{"50/s", 50, true}, {"30/m", 0.5, true}, {"0.5 / s", 0.5, true},
		{"50", 0, false}, {"0/s", 0, false}, {"-1/s", 0, false}, {"50/d", 0, false}, {"NaN/s", 0, false}, {"Inf/s", 0, false}, {"2000000/s", 0, false},
	}
	for _, row := range rows {
		got, err := ParseRate(row.in)
		if got != row.want || (err == nil) != row.ok {
			t.Errorf("ParseRate(%q) = %v, %v, want %v, ok %v", row.in, got, err, row.want, row.ok)
		}
	}
}

func TestDuration_json(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(Duration(250 * time.Millisecond))
	if err != nil || string(data) != `"250ms"` {
		t.Errorf("Marshal = %s, %v", data, err)
	}
	var d Duration
	if err := json.Unmarshal([]byte(`"2s"`), &d); err != nil || d != Duration(2*time.Second) {
		t.Errorf("Unmarshal = %v, %v", d, err)
	}
	for _, bad := range []string{`250`, `"-1s"`, `"soon"`, `null`, `{}`} {
		if err := json.Unmarshal([]byte(bad), &d); err == nil {
			t.Errorf("Unmarshal(%s) = %v, want an error", bad, d)
		}
	}
}

func TestFormatShare(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]string{0: "0%", 0.05: "5%", 0.3: "30%", 0.225: "22.5%"} {
		if got := FormatShare(in); got != want {
			t.Errorf("FormatShare(%v) = %q, want %q", in, got, want)
		}
	}
}
