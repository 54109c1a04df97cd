package httpproxy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/brunt-go/brunt/internal/unit"
	"github.com/brunt-go/brunt/judge/ledger"
)

// Delay holds an answer back. The upstream is asked at once and works
// meanwhile, so the answer leaves Header after the request arrived, or when the
// upstream is done if that is later.
type Delay struct {
	// Header is how long after the request's arrival the answer's header
	// leaves at the earliest. Must be >= 0.
	Header time.Duration
	// Body is how long the answer's body then pauses after its first
	// AfterBytes bytes. Must be >= 0. One of Header and Body must be set.
	Body time.Duration
	// AfterBytes is where the body pauses. Must be >= 0. Default: 0, between
	// header and body.
	AfterBytes int64
}

var (
	_ Fault  = (*Delay)(nil)
	_ Holder = (*Delay)(nil)
)

// Kind implements Fault.
func (*Delay) Kind() string { return "delay" }

// Holds implements Holder.
func (*Delay) Holds() bool { return true }

// Check implements Fault.
func (d *Delay) Check() error {
	switch {
	case d.Header < 0 || d.Body < 0:
		return fmt.Errorf("header %v, body %v: must be >= 0", d.Header, d.Body)
	case d.Header == 0 && d.Body == 0:
		return errors.New("delays nothing: set header or body to more than 0")
	case d.AfterBytes < 0:
		return fmt.Errorf("after_bytes %d: must be >= 0", d.AfterBytes)
	}
	return nil
}

// Longest is the longest time the fault holds an exchange.
func (d *Delay) Longest() time.Duration { return d.Header + d.Body }

// Apply implements Fault.
func (d *Delay) Apply(x *Exchange, next Next) (*http.Response, error) {
	resp, err := next()
	if err != nil {
		return nil, err
	}
	if err := x.Hold(d.Header); err != nil {
		resp.Body.Close()
		return nil, err
	}
	if d.Body > 0 {
		resp.Body = &pausedBody{ReadCloser: resp.Body, left: d.AfterBytes, pause: func() error { return x.HoldFor(d.Body) }}
	}
	return resp, nil
}

// Witnessed implements Fault: nothing was sent before the hold was over.
func (d *Delay) Witnessed(seen ledger.Exchange) bool {
	if d.Body > 0 {
		return seen.Took >= d.Header+d.Body || seen.End == ledger.EndAbandoned
	}
	return seen.Status != 0 && seen.FirstByte >= d.Header || seen.Status == 0 && seen.End != ledger.EndFailed
}

// UnmarshalJSON reads "240ms", or {"header":"80ms","body":"160ms","after_bytes":10}.
func (d *Delay) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte(`"`)) {
		return (*unit.Duration)(&d.Header).UnmarshalJSON(data)
	}
	var s struct {
		Header     unit.Duration `json:"header"`
		Body       unit.Duration `json:"body"`
		AfterBytes int64         `json:"after_bytes"`
	}
	err := unmarshalStrict(data, &s)
	*d = Delay{time.Duration(s.Header), time.Duration(s.Body), s.AfterBytes}
	return err
}

// pausedBody pauses once, after its first bytes.
type pausedBody struct {
	io.ReadCloser
	left   int64
	pause  func() error
	paused bool
}

func (b *pausedBody) Read(p []byte) (int, error) {
	if b.left > 0 {
		n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
		b.left -= int64(n)
		return n, err
	}
	if !b.paused {
		b.paused = true
		if err := b.pause(); err != nil {
			return 0, err
		}
	}
	return b.ReadCloser.Read(p)
}
