package experiment_test

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/network/memnet"
)

// The published matrix, in fake time: three systems, four arms each, 200 calls
// an arm, over an in-memory network.
func TestCalibrate_publishedMatrix(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		c, err := experiment.Calibrate(t.Context(), loan(n), experiment.WithNetwork(n))
		if err != nil {
			t.Fatal(err)
		}
		type row struct {
			Variant, Fault                              string
			Injected, Full, Degraded, Dropped, Timeouts int
		}
		var rows []row
		for _, v := range c.Variants {
			for _, a := range v.Arms {
				if f := a.Figures; a.Phase != experiment.PhaseRepeat {
					rows = append(rows, row{v.Name, a.Name, f.Injected, f.Full, f.Degraded, f.Dropped, f.Timeouts})
				}
			}
		}
		want := []row{
			{"healthy", "none", 0, 190, 10, 0, 10},
			{"healthy", "delay", 45, 148, 52, 0, 52},
			{"healthy", "error", 45, 148, 52, 0, 10},
			{"healthy", "loss", 45, 148, 52, 0, 52},
			{"loose", "none", 0, 200, 0, 0, 0},
			{"loose", "delay", 45, 200, 0, 0, 0},
			{"loose", "error", 45, 155, 45, 0, 0},
			{"loose", "loss", 45, 155, 45, 0, 45},
			{"noFallback", "none", 0, 190, 0, 10, 10},
			{"noFallback", "delay", 45, 148, 0, 52, 52},
			{"noFallback", "error", 45, 148, 0, 52, 10},
			{"noFallback", "loss", 45, 148, 0, 52, 52},
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("rows (-want +got):\n%s", diff)
		}
		wantScan := []experiment.ScanRow{
			{0, "A", []string{"loose"}, 1, 1},
			{0, "B", []string{}, 0, 1},
			{0.02, "A", []string{"loose"}, 1, 1},
			{0.02, "B", []string{}, 0, 1},
			{0.05, "A", []string{"healthy", "loose"}, 1, 0},
			{0.05, "B", []string{"healthy"}, 0, 0},
			{0.10, "A", []string{"healthy", "loose"}, 1, 0},
			{0.10, "B", []string{"healthy"}, 0, 0},
			{0.30, "A", []string{"healthy", "loose", "noFallback"}, 2, 0},
			{0.30, "B", []string{"healthy"}, 0, 0},
		}
		if diff := cmp.Diff(wantScan, c.Scan); diff != "" {
			t.Errorf("scan (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(&experiment.Recommendation{Threshold: 0.05, Rule: "B"}, c.Recommended); diff != "" {
			t.Errorf("recommended (-want +got):\n%s", diff)
		}
		for _, v := range c.Variants {
			for _, r := range v.Receipts {
				if !r.Agree || r.Planned != 45 || r.Witnessed != 45 || r.Calls != 45 {
					t.Errorf("%s: receipt %+v, want 45 planned, injected, witnessed and called", v.Name, r)
				}
			}
		}
	})
}
