// Package toxic breaks connections on purpose: it delays, slows, slices, holds,
// drops, corrupts, cuts and resets what passes between two connections.
//
// A [Set] holds the toxics of one proxy. [Set.NewLink] begins a connection through
// it, [Link.Run] carries bytes between a client and an upstream until both have
// ended. Toxics come, change and go while bytes flow:
//
//	set.Add(toxic.NewSpec("slow", toxic.Downstream, &toxic.Latency{Latency: 100 * time.Millisecond}))
//	set.Remove("slow")
//
// # How it works
//
// A link has two directions. Each is a pipeline of the toxics that hit it:
//
//	reader -> [ toxic ] -> [ toxic ] -> writer
//
// The pipeline is pure: it has no goroutine, no clock and does no I/O. A [Chunk]
// that arrives at a toxic waits there; the toxic says in a [Step] what happens to
// it and when, and the engine does the waiting. What leaves one toxic arrives at
// the next at the time it was due, not when a timer got round to it, so delays add
// up exactly. Between two TCP sockets on Linux a direction waits with neither a
// buffer nor a pipe in hand; without toxics few bytes are passed on at once, and
// many are moved by the kernel. The time is the kernel's too there, not that of
// Go's timers: see docs/design/0005-a-clock-for-toxics.md.
//
// No lock is held during I/O, so nothing a peer does, or leaves undone, holds up
// a call on a Set or a Link.
//
// Whether a toxic hits a connection is a function of the seed, the set's name, the
// connection's ordinal and the toxic's name. A toxic that does not hit is absent.
//
// # Adding a toxic
//
// Each toxic is a file. Copy noop.go, say what happens to a chunk, list the
// attributes with their bounds, and give it a line in the table of kinds.go.
package toxic
