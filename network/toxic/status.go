package toxic

import (
	"slices"
	"time"
)

// Active is a toxic of a Set as it is now.
type Active struct {
	// Spec is what was added, or last put in its place.
	Spec Spec
	// Hits is how many connections it has hit.
	Hits int64
}

// Toxics returns the toxics in the order they were added.
func (s *Set) Toxics() []Active {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Active, len(s.toxics))
	for i, a := range s.toxics {
		all[i] = Active{Spec: a.spec, Hits: a.hits.Load()}
	}
	return all
}

// Links returns the connections that are open, in the order they were opened.
func (s *Set) Links() []*Link {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ordered()
}

// Status is what a connection has carried so far, also while it is open.
type Status struct {
	// Connection is its ordinal.
	Connection uint64 `json:"connection"`
	// Client is the client's address.
	Client string `json:"client"`
	// Opened is when it began.
	Opened time.Time `json:"opened"`
	// Upstream and Downstream are its directions.
	Upstream   StreamStatus `json:"upstream"`
	Downstream StreamStatus `json:"downstream"`
}

// StreamStatus is one direction of a connection. Sizes are in bytes.
type StreamStatus struct {
	// Read is how many bytes came in, Written how many went out.
	Read    int64 `json:"read"`
	Written int64 `json:"written"`
	// Dropped is how many were thrown away.
	Dropped int64 `json:"dropped"`
	// Buffered is how much memory those on their way take.
	Buffered int `json:"buffered"`
	// Toxics are those that are on the connection, in their order.
	Toxics []StageStatus `json:"toxics,omitempty"`
}

// StageStatus is what one toxic did on one direction of one connection.
type StageStatus struct {
	// Toxic is its name.
	Toxic string `json:"toxic"`
	// Hit says that it works: AfterBytes have passed, and it had hits left.
	Hit bool `json:"hit"`
	// Begun is when it began to. The zero time while it does not.
	Begun time.Time `json:"begun,omitzero"`
	// Bytes is how many bytes left it, Dropped how many for nowhere.
	Bytes   int64 `json:"bytes"`
	Dropped int64 `json:"dropped"`
	// Ended says that it ended the stream.
	Ended bool `json:"ended"`
	// Flipped is how many bits it flipped, Marks the first 1024 of them.
	Flipped int64  `json:"flipped,omitempty"`
	Marks   []Mark `json:"marks,omitempty"`
}

// Status returns what the connection has carried so far. It waits for nothing.
func (l *Link) Status() Status {
	client := ""
	if a := l.client.RemoteAddr(); a != nil {
		client = a.String()
	}
	return Status{
		Connection: l.ordinal,
		Client:     client,
		Opened:     l.opened,
		Upstream:   l.up.status(),
		Downstream: l.down.status(),
	}
}

func (d *direction) status() StreamStatus {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := StreamStatus{Read: d.pipe.arrived, Written: d.written, Dropped: d.pipe.dropped, Buffered: d.pipe.size}
	for _, st := range d.pipe.stations {
		s.Toxics = append(s.Toxics, st.status())
	}
	return s
}

func (s *station) status() StageStatus {
	status := StageStatus{
		Toxic:   s.armed.spec.Name,
		Hit:     s.begun && !s.immune,
		Bytes:   s.tally.bytes,
		Dropped: s.tally.dropped,
		Ended:   s.tally.ended,
		Flipped: s.tally.flipped,
		Marks:   slices.Clone(s.tally.marks),
	}
	if status.Hit {
		status.Begun = s.site.Begun
	}
	return status
}
