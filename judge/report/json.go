package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/brunt-go/brunt/internal/visible"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
)

// head is what both JSON forms begin with.
type head struct {
	Version int    `json:"version"`
	Kind    Kind   `json:"kind"`
	Brunt   string `json:"brunt"`
	Name    string `json:"name"`
	Seed    uint64 `json:"seed"`
}

// body is what a trial showed, arms aside.
type body struct {
	Verdict  experiment.Verdict `json:"verdict"`
	Why      string             `json:"why"`
	Started  time.Time          `json:"started"`
	Took     time.Duration      `json:"took_ns"`
	Noise    Noise              `json:"noise"`
	Arms     []Arm              `json:"arms"`
	Receipts []Receipt          `json:"receipts"`
	Findings []oracle.Finding   `json:"findings"`
	Problems []Problem          `json:"problems"`
	Services []Service          `json:"services"`
}

type runJSON struct {
	head
	Variant string `json:"variant"`
	body
}

type variantJSON struct {
	Name  string `json:"name"`
	Truth string `json:"truth"`
	body
}

type calibrationJSON struct {
	head
	Recommended *Recommendation `json:"recommended"`
	Complete    bool            `json:"complete"`
	Incomplete  string          `json:"incomplete,omitempty"`
	Headline    string          `json:"headline"`
	Meaning     []string        `json:"meaning"`
	Scan        []ScanRow       `json:"scan"`
	Variants    []variantJSON   `json:"variants"`
}

// JSON writes the report as one JSON value: the form RunSchema or
// CalibrateSchema describes.
func (r *Report) JSON(w io.Writer) error {
	h := head{FormatVersion, r.Kind, r.Tool, r.Name, r.Seed}
	if r.Kind == KindRun {
		t := r.Trials[0]
		return writeJSON(w, runJSON{h, t.Variant, newBody(t, t.Arms)})
	}
	c := r.Calibration
	out := calibrationJSON{
		head: h, Recommended: c.Recommended, Complete: c.Incomplete == "", Incomplete: c.Incomplete,
		Headline: c.Headline, Meaning: append([]string{}, c.Meaning...), Scan: c.Scan, Variants: []variantJSON{},
	}
	for _, t := range r.Trials {
		out.Variants = append(out.Variants, variantJSON{t.Variant, t.Truth, newBody(t, t.main())})
	}
	return writeJSON(w, out)
}

func newBody(t Trial, arms []Arm) body {
	return body{
		Verdict: t.Verdict, Why: t.Why, Started: t.Started, Took: t.Took, Noise: t.Noise, Arms: arms,
		Receipts: t.Receipts, Findings: t.Findings, Problems: t.Problems, Services: t.Services,
	}
}

func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write report as JSON: %w", err)
	}
	_, err := w.Write(escapeHidden(b.Bytes()))
	return err
}

// escapeHidden writes what acts on a terminal as \u escapes, which mean the same
// to a parser. encoding/json does so below U+0020 only.
func escapeHidden(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == '\n' || !visible.Hidden(r):
			out = append(out, data[:size]...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		data = data[size:]
	}
	return out
}
