package report

import "github.com/brunt-go/brunt/judge/experiment"

// Calibrate makes the report of a calibration. version is brunt's own.
func Calibrate(c *experiment.Calibration, version string) *Report {
	r := &Report{Kind: KindCalibration, Tool: version, Name: c.Name, Seed: c.Seed, Calibration: &Calibration{Scan: []ScanRow{}}}
	var results []*experiment.Result
	for _, v := range c.Variants {
		results = append(results, v.Result)
		t := newTrial(v.Result)
		t.Variant, t.Truth = v.Name, Defective
		if v.Healthy {
			t.Truth = Healthy
		}
		r.Trials = append(r.Trials, t)
	}
	for _, row := range c.Scan {
		r.Calibration.Scan = append(r.Calibration.Scan, ScanRow(row))
	}
	switch err := c.Complete(); {
	case err != nil:
		r.Calibration.Incomplete = incomplete(err)
	case len(c.Scan) == 0:
		r.Calibration.Incomplete = "it was ended before every variant was run"
	case c.Recommended != nil:
		r.Calibration.Recommended = &Recommendation{c.Recommended.Threshold, c.Recommended.Rule}
	}
	r.Oracles = r.judged(results...)
	r.Calibration.Headline = r.headline()
	r.Calibration.Meaning = r.meaning()
	return r
}
