package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// The elements GitLab, Jenkins and GitHub's reporters read.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string           `xml:"name,attr"`
		Tests      int              `xml:"tests,attr"`
		Failures   int              `xml:"failures,attr"`
		Errors     int              `xml:"errors,attr"`
		Skipped    int              `xml:"skipped,attr"`
		Time       string           `xml:"time,attr"`
		Timestamp  string           `xml:"timestamp,attr,omitempty"`
		Properties *junitProperties `xml:"properties"`
		Cases      []junitCase      `xml:"testcase"`
		Output     *junitText       `xml:"system-out"`
	}
	junitProperties struct {
		List []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Time    string       `xml:"time,attr"`
		Failure *junitReason `xml:"failure"`
		Error   *junitReason `xml:"error"`
		Skipped *junitReason `xml:"skipped"`
		Output  *junitText   `xml:"system-out"`
	}
	junitReason struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
)

// JUnit writes the report for a CI system: a suite for each run or variant, a
// case for each fault's delivery and each oracle. A violation is a failure, a
// run that proves nothing an error, one that cannot tell is skipped.
//
// In a calibration a defective variant is meant to be caught: what was found in
// it is noted and the case passes; what fails is a defect that nothing found.
// A last suite says whether a rule is recommended.
func (r *Report) JUnit(w io.Writer) error {
	v := r.visible()
	out := junitSuites{Name: "brunt"}
	var total time.Duration
	for _, t := range v.Trials {
		cases := t.cases(v.Oracles)
		if t.Truth == Defective {
			cases = caught(cases)
		}
		suite := newSuite(v.title(t), cases)
		suite.Time, suite.Timestamp = seconds(t.Took), t.Started.UTC().Format("2006-01-02T15:04:05")
		suite.Properties = &junitProperties{[]junitProperty{
			{"verdict", string(t.Verdict)}, {"why", t.Why}, {"seed", fmt.Sprint(v.Seed)}, {"brunt", v.Tool},
		}}
		suite.Output = text(t.outputs())
		out.add(suite)
		total += t.Took
	}
	if c := v.Calibration; c != nil {
		out.add(newSuite(v.Name, []testCase{c.testCase()}))
	}
	out.Time = seconds(total)
	data, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return fmt.Errorf("write report as JUnit: %w", err)
	}
	_, err = w.Write(append([]byte(xml.Header), append(data, '\n')...))
	return err
}

// caught turns the cases of a defective variant around.
func caught(cases []testCase) []testCase {
	found := testCase{name: "caught", outcome: failed, kind: "calibration", message: "the variant is defective, and no oracle found anything"}
	for i := range cases {
		if c := &cases[i]; c.outcome == failed {
			*c = testCase{name: c.name, took: c.took, note: "found, as it should be: " + c.message + "\n" + c.details}
			found = testCase{name: found.name}
		}
	}
	return append(cases, found)
}

// testCase is the recommendation's.
func (c *Calibration) testCase() testCase {
	out := testCase{name: "recommendation"}
	switch {
	case c.Incomplete != "":
		out.outcome, out.kind, out.message = errored, "calibration", c.Headline
	case c.Recommended == nil:
		out.outcome, out.kind, out.message = failed, "calibration", c.Headline
		out.details = strings.Join(c.Meaning, "\n") + "\n"
	default:
		out.note = c.Headline + "\n" + strings.Join(c.Meaning, "\n") + "\n"
	}
	return out
}

func newSuite(name string, cases []testCase) junitSuite {
	s := junitSuite{Name: name, Tests: len(cases), Time: seconds(0)}
	for _, c := range cases {
		out := junitCase{Class: "brunt." + name, Name: c.name, Time: seconds(c.took), Output: text(c.note)}
		reason := &junitReason{c.kind, c.message, c.details}
		switch c.outcome {
		case passed:
		case failed:
			out.Failure = reason
			s.Failures++
		case errored:
			out.Error = reason
			s.Errors++
		case skipped:
			reason.Type = "" // the schema knows no type here
			out.Skipped = reason
			s.Skipped++
		}
		s.Cases = append(s.Cases, out)
	}
	return s
}

// text is an element of text, or none for "".
func text(s string) *junitText {
	if s == "" {
		return nil
	}
	return &junitText{s}
}

func (s *junitSuites) add(suite junitSuite) {
	s.Suites = append(s.Suites, suite)
	s.Tests += suite.Tests
	s.Failures += suite.Failures
	s.Errors += suite.Errors
	s.Skipped += suite.Skipped
}

// outputs are what the services that failed wrote.
func (t Trial) outputs() string {
	var b strings.Builder
	for _, s := range t.Services {
		if s.Ended != "" {
			fmt.Fprintf(&b, "service %s at %s: %s\n%s\n", s.Name, s.Addr, s.Ended, strings.TrimRight(string(s.Output), "\n"))
		}
	}
	return b.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
