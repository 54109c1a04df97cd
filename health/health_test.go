package health_test

import (
	"context"
	"errors"
	"testing"

	"go.uber.org/goleak"

	"github.com/brunt-go/brunt/health"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errUnknown = errors.New("unknown")

func says(healthy bool, err error) health.Monitor {
	return health.MonitorFunc(func(context.Context) (bool, error) { return healthy, err })
}

func TestMonitors(t *testing.T) {
	t.Parallel()
	well, ill, unsure := says(true, nil), says(false, nil), says(true, errUnknown)
	notAsked := health.MonitorFunc(func(context.Context) (bool, error) { panic("asked") })
	rows := []struct {
		name string
		in   health.Monitor
		want bool
		err  bool
	}{
		{"and_none", health.And(), true, false},
		{"and_all", health.And(well, well), true, false},
		{"and_one_ill", health.And(well, ill, notAsked), false, false},
		{"and_one_unsure", health.And(well, unsure, notAsked), false, true},
		{"or_none", health.Or(), false, false},
		{"or_first", health.Or(well, notAsked), true, false},
		{"or_last", health.Or(ill, unsure, well), true, false},
		{"or_none_well", health.Or(ill, ill), false, false},
		{"or_unsure", health.Or(ill, unsure), false, true},
		{"nested", health.And(health.Or(ill, well), well), true, false},
		{"zero_binary", new(health.Binary), false, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := row.in.Healthy(t.Context())
			if got != row.want || (err != nil) != row.err || row.err && !errors.Is(err, errUnknown) {
				t.Errorf("Healthy() = %v, %v, want %v, error %v", got, err, row.want, row.err)
			}
		})
	}
}

func TestBinary(t *testing.T) {
	t.Parallel()
	var b health.Binary
	for _, want := range []bool{true, false, true} {
		b.Set(want)
		if got, err := b.Healthy(t.Context()); got != want || err != nil {
			t.Errorf("Healthy() = %v, %v, want %v", got, err, want)
		}
	}
}

func TestNewProbes(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name        string
		opts        []health.Option
		live, ready bool
	}{
		{"default", nil, true, true},
		{"nil", []health.Option{nil, health.Readiness(nil), health.Liveness(nil)}, true, true},
		{"readiness", []health.Option{health.Readiness(says(false, nil))}, true, false},
		{"last_counts", []health.Option{health.Liveness(says(true, nil)), health.Liveness(says(false, nil))}, false, true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p := health.NewProbes(row.opts...)
			live, _ := p.Liveness.Healthy(t.Context())
			ready, _ := p.Readiness.Healthy(t.Context())
			if live != row.live || ready != row.ready {
				t.Errorf("live %v, ready %v, want %v, %v", live, ready, row.live, row.ready)
			}
		})
	}
}
