package fault_test

import (
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/fault"
)

// R18, R19: ten seconds, and no Decoder.
func TestDefaultSettings(t *testing.T) {
	t.Parallel()
	if got := fault.DefaultSettings(); got != (fault.Settings{MaxDelay: 10 * time.Second}) {
		t.Errorf("DefaultSettings() = %+v, want a MaxDelay of 10s and no Decoder", got)
	}
	if err := fault.CheckMaxDelay(fault.DefaultSettings().MaxDelay); err != nil {
		t.Errorf("the default MaxDelay is refused: %v", err)
	}
}

// R20: any positive value, and an error that leaves the name to the caller.
func TestCheckMaxDelay(t *testing.T) {
	t.Parallel()
	for in, want := range map[time.Duration]string{
		1: "", time.Hour: "", 1<<63 - 1: "",
		0: "0s, must be positive", -time.Second: "-1s, must be positive",
	} {
		got := ""
		if err := fault.CheckMaxDelay(in); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("CheckMaxDelay(%v) = %q, want %q", in, got, want)
		}
		if strings.Contains(got, "MaxDelay") {
			t.Errorf("CheckMaxDelay(%v) names the field: %q", in, got)
		}
	}
}

// R17, R21: all bad fields in one error, each named.
func TestNew_settings(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   fault.Settings
		want string
	}{
		{"fine", fault.Settings{Decoder: decoder{}, MaxDelay: 1}, ""},
		{"no_decoder", fault.DefaultSettings(), "fault settings: Decoder: not set, must be set"},
		{"no_delay", fault.Settings{Decoder: decoder{}}, "fault settings: MaxDelay: 0s, must be positive"},
		{"both", fault.Settings{MaxDelay: -1}, "fault settings: Decoder: not set, must be set\nMaxDelay: -1ns, must be positive"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := fault.New(row.in)
			if got := message(err); got != row.want {
				t.Errorf("New(%+v) fails with %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
