package toxic

import "time"

// Chunk is what waits first in line at a toxic: bytes, or the end of the stream.
type Chunk struct {
	// Data are the bytes. They are the engine's: a toxic may change them in
	// place and keeps no reference. Empty at the end of the stream.
	Data []byte
	// End, when set, is how the stream ends here.
	End End
	// Offset is the place of the first byte in the stream, from 0, counted
	// where the toxic is.
	Offset int64
	// At is when the chunk arrived at the toxic.
	At time.Time
	// Left is when what came before it left the toxic. The zero time when
	// nothing did.
	Left time.Time
}

// First returns since when the chunk has been first in line: its arrival, or
// the departure of what came before it if that is later.
func (c Chunk) First() time.Time { return later(c.At, c.Left) }

// End is how a stream ends.
type End uint8

// The ways a stream ends.
const (
	// EndNone: it goes on.
	EndNone End = iota
	// EndFIN is the end of one direction, as a peer asks for with CloseWrite.
	// The other direction goes on.
	EndFIN
	// EndClose closes both connections in an orderly way, after the bytes
	// before it.
	EndClose
	// EndReset resets both connections, after the bytes before it.
	EndReset
	// EndAbort resets both connections at once. Bytes on their way are lost.
	EndAbort
)

// String returns "none", "fin", "close", "reset" or "abort".
func (e End) String() string {
	switch e {
	case EndNone:
		return "none"
	case EndFIN:
		return "fin"
	case EndClose:
		return "close"
	case EndReset:
		return "reset"
	default:
		return "abort"
	}
}

// Step is what a toxic does with a chunk. The zero Step passes all of it on at
// once.
type Step struct {
	// Size is how many bytes, from the first, the step is about. The toxic is
	// asked about the rest when they have left. 0 means all.
	Size int
	// Due is when they leave. They never leave before they arrived, nor before
	// what came before them.
	Due time.Time
	// Hold keeps the chunk until the toxic is changed or removed.
	Hold bool
	// Drop makes them leave for nowhere.
	Drop bool
	// End, when set, ends the stream after them: what comes later is lost.
	End End
	// Marks say which bits the toxic changed.
	Marks []Mark
}

// Mark is a bit that was flipped.
type Mark struct {
	// Offset is the place of the byte in the stream, from 0.
	Offset int64 `json:"offset"`
	// Bit is from 0, the lowest, to 7.
	Bit uint8 `json:"bit"`
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
