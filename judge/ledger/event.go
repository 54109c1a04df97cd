package ledger

import "time"

// Event is what happened in an Entry.
type Event interface {
	// Kind names the event in a file.
	Kind() string
}

// Call is one logical call of the load and how it ended, as the load saw it.
type Call struct {
	// Index is the call's place in the load, from 0.
	Index int `json:"index"`
	// Outcome is the name of the outcome the answer had: full, degraded or
	// dropped.
	Outcome string `json:"outcome"`
	// Status is the HTTP status, or 0 when no answer came.
	Status int `json:"status"`
	// Took is the time from the moment the call was due to its end, in
	// nanoseconds.
	Took time.Duration `json:"took_ns"`
	// Error says why no answer came, or is "".
	Error string `json:"error,omitempty"`
}

// Kind implements Event.
func (Call) Kind() string { return "call" }

// Decision is what the injector decided about one request.
type Decision struct {
	// Exchange joins the decision with the Exchange of the same request.
	Exchange uint64 `json:"exchange"`
	// Rule is the rule that chose the request, or "" when none did.
	Rule string `json:"rule,omitempty"`
	// Fault is what was injected, such as "delay" or "delay+reply".
	Fault string `json:"fault,omitempty"`
	// Holds is true when that makes its caller wait: a delay, a hang.
	Holds bool `json:"holds,omitempty"`
	// Injected is true when the fault was carried out.
	Injected bool `json:"injected"`
	// Spared says why a request that a rule chose was left alone all the
	// same, such as SparedByLimit, or is "".
	Spared string `json:"spared,omitempty"`
}

// Kind implements Event.
func (Decision) Kind() string { return "decision" }

// Why a request a rule chose was spared.
const (
	// SparedByLimit: the blast radius was used up.
	SparedByLimit = "limit"
	// SparedNoKey: the request has no identity to decide by.
	SparedNoKey = "no key"
)

// End is how an exchange ended on the wire.
type End string

// How an exchange can end.
const (
	// EndAnswered: the caller got a whole answer.
	EndAnswered End = "answered"
	// EndAbandoned: the caller went away before it had the whole answer.
	EndAbandoned End = "abandoned"
	// EndBroken: the connection was cut before the whole answer was out.
	EndBroken End = "broken"
	// EndFailed: the upstream could not be asked, or broke off.
	EndFailed End = "failed"
)

// Exchange is one request and its answer as they passed on the wire. It is
// seen by an observer that knows nothing of the decision, so it can witness
// what the injector says it did.
type Exchange struct {
	// ID joins the exchange with its Decision.
	ID uint64 `json:"id"`
	// Method and Path are the request's.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Status is the status the caller was sent, or 0 when none was.
	Status int `json:"status"`
	// FirstByte is the time from the request's arrival to the answer's
	// header, in nanoseconds; 0 when none was sent.
	FirstByte time.Duration `json:"first_byte_ns"`
	// Took is the time from the request's arrival to the exchange's end, in
	// nanoseconds.
	Took time.Duration `json:"took_ns"`
	// Bytes is how much of the answer's body was sent.
	Bytes int64 `json:"bytes"`
	// Upstream is the status the upstream answered with, or 0 when it was not
	// asked or did not answer.
	Upstream int `json:"upstream"`
	// End is how the exchange ended.
	End End `json:"end"`
	// Error says what went wrong between the proxy and the upstream, or is "".
	Error string `json:"error,omitempty"`
}

// Kind implements Event.
func (Exchange) Kind() string { return "exchange" }

// Note is something about the run as a whole: an abort, a removal.
type Note struct {
	// What is one of the Note constants.
	What string `json:"what"`
	// Text says more, for people.
	Text string `json:"text,omitempty"`
}

// Kind implements Event.
func (Note) Kind() string { return "note" }

// What a Note can be about.
const (
	// NoteArm: an arm begins; the text names it.
	NoteArm = "arm"
	// NoteAborted: the abort condition held, injection was stopped.
	NoteAborted = "aborted"
	// NoteInterrupted: the run was told to stop.
	NoteInterrupted = "interrupted"
	// NoteRemoved: the faults of the arm were removed.
	NoteRemoved = "removed"
)
