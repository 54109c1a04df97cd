package control

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/brunt-go/brunt/network/proxy"
)

// MaxLease is the longest a lease may be.
const MaxLease = 24 * time.Hour

// Lease is a promise to remove something unless it is renewed.
type Lease struct {
	// ID is what to renew it by.
	ID string `json:"id"`
	// Length is how long it lasts from each renewal.
	Length Length `json:"length"`
	// Expires is when it ends next.
	Expires time.Time `json:"expires"`
}

// Length is how long a lease lasts, in JSON a duration such as "30s", or a Lease
// with such a length.
type Length time.Duration

// MarshalJSON implements json.Marshaler.
func (l Length) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(l).String()) }

// UnmarshalJSON implements json.Unmarshaler.
func (l *Length) UnmarshalJSON(data []byte) error {
	var shown struct {
		Length string `json:"length"`
	}
	if err := json.Unmarshal(data, &shown); err != nil {
		shown.Length = ""
		if err := json.Unmarshal(data, &shown.Length); err != nil {
			return fmt.Errorf(`lease: %.100s, want a duration such as "30s"`, data)
		}
	}
	if string(data) == "null" {
		return nil
	}
	d, err := time.ParseDuration(shown.Length)
	if err != nil {
		return fmt.Errorf(`lease: %.100q, want a duration such as "30s"`, shown.Length)
	}
	if d < time.Millisecond || d > MaxLease {
		return fmt.Errorf("lease: %v, must be from 1ms to %v", d, MaxLease)
	}
	*l = Length(d)
	return nil
}

// lease is by Server.mu.
type lease struct {
	id      string
	length  time.Duration
	expires time.Time
	timer   *time.Timer
	session string
	holder  *held  // nil if it is the session's
	toxic   string // empty if it is the proxy's
	overdue bool   // it has expired, but its toxic could not be removed yet
}

// again is when a toxic that could not be removed is tried next.
const again = time.Second

func (l *lease) show() *Lease {
	return &Lease{ID: l.id, Length: Length(l.length), Expires: l.expires}
}

// lease begins one. It is called with mu held.
func (s *Server) lease(l *lease) {
	l.id = rand.Text()
	l.expires = time.Now().Add(l.length)
	l.timer = time.AfterFunc(l.length, func() { s.expire(l) })
	s.leases[l.id] = l
	if l.holder != nil {
		l.holder.leases[l.toxic] = l
	}
}

// drop ends a lease without removing anything. It is called with mu held.
func (s *Server) drop(l *lease) {
	if l == nil {
		return
	}
	l.timer.Stop()
	delete(s.leases, l.id)
	if l.holder != nil {
		delete(l.holder.leases, l.toxic)
	}
}

// leaseOf shows the lease of a toxic, or of the proxy itself.
func (h *held) leaseOf(toxic string) *Lease {
	h.server.mu.Lock()
	defer h.server.mu.Unlock()
	if l := h.leases[toxic]; l != nil {
		return l.show()
	}
	return nil
}

// expire removes what a lease was for, unless it was renewed or dropped.
func (s *Server) expire(l *lease) {
	if l.holder != nil { // so that it is not of another toxic of that name by now
		l.holder.change.Lock()
		defer l.holder.change.Unlock()
	}
	s.mu.Lock()
	if s.closed || s.leases[l.id] != l || time.Now().Before(l.expires) {
		s.mu.Unlock()
		return
	}
	s.work.Add(1)
	defer s.work.Done()
	s.drop(l)
	s.mu.Unlock()

	e := proxy.Event{Type: LeaseExpired, Toxic: l.toxic}
	if l.holder != nil {
		e.Proxy = l.holder.name
	}
	if !l.overdue {
		s.log.Info("lease expired", "session", l.session, "proxy", e.Proxy, "toxic", e.Toxic)
		s.events.publish(l.session, e)
	}
	switch {
	case l.holder == nil:
		s.EndSession(l.session)
	case l.toxic == "":
		s.remove(l.holder)
	default:
		if err := l.holder.proxy.Remove(l.toxic); err != nil {
			s.log.Warn("toxic without a lease not removed, trying again", "proxy", e.Proxy, "toxic", e.Toxic, "error", err)
			s.postpone(l)
		}
	}
}

// postpone makes a lease expire once more: someone has the address that its toxic
// makes the proxy not listen on, and may give it back. It is called with the
// holder's change held.
func (s *Server) postpone(l *lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.proxies[l.holder.key] != l.holder || l.holder.moving != nil {
		return
	}
	l.overdue = true
	l.expires = time.Now().Add(again)
	s.leases[l.id], l.holder.leases[l.toxic] = l, l
	l.timer.Reset(again)
}

// Renew makes a lease last its length from now.
func (s *Server) Renew(id string) (Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.leases[id]
	if l == nil {
		return Lease{}, noLease()
	}
	l.renew()
	return *l.show(), nil
}

// renew makes it last its length from now. It is called with Server.mu held.
func (l *lease) renew() {
	l.overdue = false
	l.expires = time.Now().Add(l.length)
	l.timer.Reset(l.length)
}

// extend makes the lease of a toxic, or of the proxy itself, last a length from now.
// What has no lease gets none: who made it wants it to stay.
func (h *held) extend(toxic string, length Length) {
	h.server.mu.Lock()
	defer h.server.mu.Unlock()
	if l := h.leases[toxic]; l != nil && length > 0 {
		l.length = time.Duration(length)
		l.renew()
	}
}

// Release removes at once what a lease is for.
func (s *Server) Release(id string) error {
	s.mu.Lock()
	l := s.leases[id]
	if l != nil {
		l.expires = time.Time{}
	}
	s.mu.Unlock()
	if l == nil {
		return noLease()
	}
	s.expire(l)
	return nil
}

// LeaseSession makes a session's proxies last for a time from now and from each
// renewal. A session has one lease: another one takes its place.
func (s *Server) LeaseSession(session string, length time.Duration) (Lease, error) {
	if session == "" {
		return Lease{}, missing("session")
	}
	if err := checkName("session", session); err != nil {
		return Lease{}, errorf(http.StatusBadRequest, "%s", err)
	}
	if length < time.Millisecond || length > MaxLease {
		return Lease{}, errorf(http.StatusBadRequest, "lease: %v, must be from 1ms to %v", length, MaxLease)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.leases) >= s.settings.MaxProxies*s.settings.MaxToxics {
		return Lease{}, errorf(http.StatusForbidden, "too many leases")
	}
	for _, l := range s.leases {
		if l.holder == nil && l.session == session {
			s.drop(l)
		}
	}
	l := &lease{length: length, session: session}
	s.lease(l)
	return *l.show(), nil
}

// EndSession removes every proxy of a session.
func (s *Server) EndSession(session string) {
	for _, h := range s.of(session) {
		s.remove(h)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.leases {
		if l.holder == nil && l.session == session {
			s.drop(l)
		}
	}
}
