package toxic

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/brunt-go/brunt/internal/seeded"
)

// ErrExists is in an error about a name that is taken.
var ErrExists = errors.New("toxic already exists")

// ErrNotFound is in an error about a name nothing has.
var ErrNotFound = errors.New("toxic not found")

// Set is the toxics of one proxy and the connections through it. It is safe for
// concurrent use. No call waits for a connection.
type Set struct {
	settings Settings
	onHit    func(Hit)

	mu     sync.Mutex // taken before a direction's
	toxics []*armed   // in the order they were added
	links  map[uint64]*Link
	serial uint64
	opened uint64

	buffers sync.Pool // of *[readSize]byte
	pipes   sync.Pool // of *pipe

	wakerMu sync.Mutex
	wakes   *waker // made when first needed, closed with the last link
}

// NewSet returns a Set without toxics, or what CheckSettings finds wrong with s.
func NewSet(s Settings, options ...Option) (*Set, error) {
	if err := CheckSettings(s); err != nil {
		return nil, err
	}
	set := &Set{settings: s, links: make(map[uint64]*Link)}
	for _, o := range options {
		o.apply(set)
	}
	return set, nil
}

// NewLink begins a connection that client opened. It decides which toxics hit
// it: the ordinal, from 1, is that of the call. Link.Run or Link.Close must
// follow.
func (s *Set) NewLink(client net.Conn) *Link {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	l := newLink(s, client, s.opened, time.Now())
	s.links[l.ordinal] = l
	for _, a := range s.toxics {
		l.add(a)
	}
	return l
}

// forget is called when l has ended.
func (s *Set) forget(l *Link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.links, l.ordinal)
	if len(s.links) > 0 {
		return
	}
	s.wakerMu.Lock()
	defer s.wakerMu.Unlock()
	if s.wakes != nil {
		s.wakes.close()
		s.wakes = nil
	}
}

// waker returns the waker of the links there are, nil if there can be none.
func (s *Set) waker() *waker {
	s.wakerMu.Lock()
	defer s.wakerMu.Unlock()
	if s.wakes == nil {
		s.wakes = newWaker()
	}
	return s.wakes
}

// Add puts a toxic behind those that are there, on open connections too. The
// error is what CheckSpec finds wrong with it, or matches ErrExists.
func (s *Set) Add(spec Spec) error {
	if err := CheckSpec(spec); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.find(spec.Name) >= 0 {
		return fmt.Errorf("%w: %q", ErrExists, spec.Name)
	}
	s.serial++
	a := s.arm(spec, s.serial, new(atomic.Int64))
	s.toxics = append(s.toxics, a)
	for _, l := range s.ordered() {
		l.add(a)
	}
	return nil
}

// Update puts spec in the place of the toxic of its name, at once and all of it
// or, with an error, nothing of it. The error is what CheckSpec finds wrong, or
// matches ErrNotFound. Its Stream must be the one it has. Hits so far count.
func (s *Set) Update(spec Spec) error {
	if err := CheckSpec(spec); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.find(spec.Name)
	if i < 0 {
		return fmt.Errorf("%w: %q", ErrNotFound, spec.Name)
	}
	old := s.toxics[i]
	if spec.Stream != old.spec.Stream {
		return fmt.Errorf("stream: %q, must stay %s", spec.Stream, old.spec.Stream)
	}
	a := s.arm(spec, old.serial, old.hits)
	s.toxics[i] = a
	for _, l := range s.ordered() {
		l.change(a)
	}
	return nil
}

// Remove takes a toxic away. What it holds back goes on. The error matches
// ErrNotFound.
func (s *Set) Remove(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.find(name)
	if i < 0 {
		return fmt.Errorf("%w: %q", ErrNotFound, name)
	}
	a := s.toxics[i]
	s.toxics = slices.Delete(s.toxics, i, i+1)
	for _, l := range s.ordered() {
		l.remove(a)
	}
	return nil
}

func (s *Set) arm(spec Spec, serial uint64, hits *atomic.Int64) *armed {
	return &armed{
		spec:   spec,
		serial: serial,
		seed:   seeded.Derive(seeded.Seed(s.settings.Seed), s.settings.Name, spec.Name),
		start:  spec.Toxic.Arm(),
		hits:   hits,
		onHit:  s.onHit,
	}
}

// ordered returns the links in the order they were opened, the order in which a
// limited number of hits is given out.
func (s *Set) ordered() []*Link {
	return slices.SortedFunc(maps.Values(s.links), func(a, b *Link) int { return cmp.Compare(a.ordinal, b.ordinal) })
}

func (s *Set) find(name string) int {
	return slices.IndexFunc(s.toxics, func(a *armed) bool { return a.spec.Name == name })
}

// buffer returns readSize bytes.
func (s *Set) buffer() []byte {
	if b, ok := s.buffers.Get().(*[readSize]byte); ok {
		return b[:]
	}
	return make([]byte, readSize)
}

// recycle takes back what buffer returned, whole. What was cut up is left to the
// garbage collector.
func (s *Set) recycle(b []byte) {
	if cap(b) == readSize {
		s.buffers.Put((*[readSize]byte)(b[:readSize]))
	}
}
