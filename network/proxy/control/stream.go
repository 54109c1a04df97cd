package control

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/brunt-go/brunt/network/proxy"
)

const (
	// heartbeat is how often a stream without events shows that it is alive.
	heartbeat = 15 * time.Second
	// slowest is how long a reader may take for one write.
	slowest = 10 * time.Second
)

// getEvents streams events as server-sent events: the ID, the type, the Event as
// JSON. The query may have proxy, toxic and type; "after", or the header
// Last-Event-ID, asks for those since an ID.
func (s *Server) getEvents(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	f := Filter{Session: r.PathValue("session"), Proxy: q.Get("proxy"), Toxic: q.Get("toxic"), Type: proxy.EventType(q.Get("type"))}
	last := r.Header.Get("Last-Event-ID")
	if q.Has("after") {
		last = q.Get("after")
	}
	if last != "" {
		id, err := strconv.ParseUint(last, 10, 64)
		if err != nil {
			writeError(w, errorf(http.StatusBadRequest, "after: %.50q, want the ID of an event", last))
			return
		}
		f.After = &id
	}
	s.ServeEvents(w, r, f)
}

// ServeEvents streams events as server-sent events until the client has gone.
func (s *Server) ServeEvents(w http.ResponseWriter, r *http.Request, f Filter) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	send := func(format string, args ...any) bool {
		_ = control.SetWriteDeadline(time.Now().Add(slowest)) // where there is none, a write may take longer
		if _, err := fmt.Fprintf(w, format, args...); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	if !send(": events\n\n") {
		return
	}
	events := make(chan Event)
	go func() {
		defer close(events)
		for e := range s.Events(ctx, f) {
			select {
			case events <- e:
			case <-ctx.Done():
			}
		}
	}()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case e, open := <-events:
			data, err := json.Marshal(e)
			if !open || err != nil || !send("id: %d\nevent: %s\ndata: %s\n\n", e.ID, e.Type, data) {
				return
			}
		case <-beat.C:
			if !send(": \n\n") {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
