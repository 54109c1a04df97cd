package report

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
)

// FormatVersion is the version of the JSON forms. It changes when a reader of
// the old form could misread the new one; new fields alone leave it as it is.
const FormatVersion = 1

// Kind says what a Report is about.
type Kind string

// The kinds of reports.
const (
	KindRun         Kind = "run"
	KindCalibration Kind = "calibration"
)

// Report is what a run or a calibration showed. Its reporters only read it, so
// it is safe for concurrent use once it is made.
type Report struct {
	Kind Kind
	// Tool is the version of brunt that made it.
	Tool string
	// Name and Seed are the experiment's. The seed replays it.
	Name string
	Seed uint64
	// Oracles are the names of the oracles that judged each fault's arm, for
	// the formats that list what holds.
	Oracles []string
	// Trials are the runs: one, or one for each variant of a calibration.
	Trials []Trial
	// Calibration says what the trials come to together. Nil for a run.
	Calibration *Calibration
}

// Trial is one form of the system, put through every arm.
type Trial struct {
	// Variant is the variant's name, or "". Truth is what is known about it:
	// Healthy, Defective, or "" for a run.
	Variant string
	Truth   string
	Started time.Time
	Took    time.Duration
	Verdict experiment.Verdict
	Why     string
	Noise   Noise
	// Arms are all arms in the order they ran.
	Arms     []Arm
	Receipts []Receipt
	Findings []oracle.Finding
	Problems []Problem
	Services []Service
}

// What is known about a variant.
const (
	Healthy   = "healthy"
	Defective = "defective"
)

// Noise is the share of calls that may be less than full, and what the two
// baselines showed.
type Noise struct {
	Threshold float64 `json:"threshold"`
	FromPlan  bool    `json:"from_plan"`
	First     float64 `json:"first"`
	Second    float64 `json:"second"`
}

// Arm is one run of the load.
type Arm struct {
	// Fault is the fault's name, or experiment.Baseline.
	Fault string           `json:"fault"`
	Phase experiment.Phase `json:"phase"`
	// At is the proxy it happened at, Kind what happened, such as "delay".
	At   string `json:"at,omitempty"`
	Kind string `json:"kind,omitempty"`
	// Planned is how many calls the seed chooses, Witnessed how many broken
	// requests were seen on the wire.
	Planned   Known `json:"planned"`
	Requests  int   `json:"requests"`
	Injected  int   `json:"injected"`
	Witnessed Known `json:"witnessed"`
	Spared    int   `json:"spared"`
	Full      int   `json:"full"`
	Degraded  int   `json:"degraded"`
	Dropped   int   `json:"dropped"`
	Timeouts  int   `json:"timeouts"`
	// Failed is how many requests found no upstream, Keyless how many had no
	// identity to decide by.
	Failed  int           `json:"failed"`
	Keyless int           `json:"keyless"`
	Latency Latency       `json:"latency"`
	Took    time.Duration `json:"took_ns"`
	// Tries is how often the arm was run: again while the machine stalled in
	// it. What is here is the last, whose longest stall was Stalled.
	Tries   int           `json:"tries"`
	Stalled time.Duration `json:"stalled_ns"`
	// Aborted says why the arm was ended early, or is "".
	Aborted string `json:"aborted,omitempty"`
	// Marks are its calls, at most MaxMarks of Requests, for a picture.
	Marks []Mark `json:"-"`
}

// DropRate is the share of calls that were dropped.
func (a Arm) DropRate() float64 { return a.share(a.Dropped) }

// Short is the share of calls that were less than full.
func (a Arm) Short() float64 { return a.share(a.Degraded + a.Dropped) }

func (a Arm) share(n int) float64 { return float64(n) / float64(max(1, a.Requests)) }

// Latency is how long the calls of an arm took.
type Latency struct {
	P50  time.Duration    `json:"p50_ns"`
	P90  time.Duration    `json:"p90_ns"`
	P99  time.Duration    `json:"p99_ns"`
	Max  time.Duration    `json:"max_ns"`
	Bars []experiment.Bar `json:"-"`
}

// Receipt is one fault's delivery, counted by parties that know nothing of each
// other.
type Receipt struct {
	Fault     string `json:"fault"`
	Point     string `json:"point"`
	Planned   Known  `json:"planned"`
	Injected  int    `json:"injected"`
	Witnessed int    `json:"witnessed"`
	Calls     Known  `json:"calls"`
	Agree     bool   `json:"agree"`
	Why       string `json:"why,omitempty"`
}

// Problem is something that keeps a run from proving what it should.
type Problem struct {
	Verdict experiment.Verdict `json:"verdict"`
	Arm     string             `json:"arm,omitempty"`
	Hop     string             `json:"hop"`
	Message string             `json:"message"`
}

// Service says how a service fared.
type Service struct {
	Name string `json:"name"`
	Addr string `json:"addr"`
	// Ended says how it ended before it was told to, or is "".
	Ended  string `json:"ended,omitempty"`
	Output Block  `json:"output,omitempty"`
}

// Block is text of several lines.
type Block string

// Known is a count, or Unknown.
type Known int

// Unknown is the Known that cannot be said.
const Unknown Known = -1

// String is the count, or "-".
func (k Known) String() string {
	if k < 0 {
		return "-"
	}
	return strconv.Itoa(int(k))
}

// MarshalJSON writes the count, or null.
func (k Known) MarshalJSON() ([]byte, error) {
	if k < 0 {
		return []byte("null"), nil
	}
	return json.Marshal(int(k))
}

// Calibration is what the trials of a calibration come to.
type Calibration struct {
	Scan []ScanRow
	// Recommended is the rule at the smallest threshold that tells the
	// variants apart, or nil.
	Recommended *Recommendation
	// Incomplete says why the calibration says nothing, or is "". Nothing is
	// recommended then.
	Incomplete string
	// Headline is what it comes to in a sentence, Meaning what stands behind
	// that.
	Headline string
	Meaning  []string
}

// ScanRow says how a rule at a threshold judges the variants.
type ScanRow struct {
	Threshold float64  `json:"threshold"`
	Rule      string   `json:"rule"`
	Passing   []string `json:"passing"`
	FalsePass int      `json:"false_pass"`
	FalseFail int      `json:"false_fail"`
}

// Recommendation is a rule at a threshold.
type Recommendation struct {
	Threshold float64 `json:"threshold"`
	Rule      string  `json:"rule"`
}
