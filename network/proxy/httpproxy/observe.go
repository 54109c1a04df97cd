package httpproxy

import (
	"net/http"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
)

// observer sees what is really sent to the caller. It sits outside everything
// that injects and knows nothing of decisions: it is the second receipt.
type observer struct {
	http.ResponseWriter
	request   *http.Request
	arrived   time.Time
	goneEarly bool // the caller had gone away when the answer's header left, or the proxy cut it off
	cut       bool // the proxy closed the connection under the request
	firstByte time.Duration
	status    int
	bytes     int64
}

func (o *observer) WriteHeader(status int) {
	// A 1xx is no answer yet, apart from 101, which ends HTTP.
	if status >= 200 || status == http.StatusSwitchingProtocols {
		o.begin(status)
	}
	o.ResponseWriter.WriteHeader(status)
}

func (o *observer) Write(p []byte) (int, error) {
	o.begin(http.StatusOK)
	n, err := o.ResponseWriter.Write(p)
	o.bytes += int64(n)
	return n, err
}

func (o *observer) begin(status int) {
	if o.status == 0 {
		o.status, o.firstByte = status, time.Since(o.arrived)
		o.goneEarly = o.request.Context().Err() != nil
	}
}

// cutting is told before the proxy closes the connection of its request. From
// then on the request's context ends for that, and no longer tells whether the
// caller went away.
func (o *observer) cutting() {
	o.cut = true
	o.goneEarly = o.goneEarly || o.request.Context().Err() != nil
}

// observerOf finds the observer underneath w, or nil.
func observerOf(w http.ResponseWriter) *observer {
	for {
		if o, ok := w.(*observer); ok {
			return o
		}
		inner, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return nil
		}
		w = inner.Unwrap()
	}
}

// Unwrap lets http.ResponseController reach Flush and Hijack.
func (o *observer) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// exchange describes what was seen. whole says whether all of an answer was handed
// to the connection, failed whether the upstream let the proxy down.
func (o *observer) exchange(whole, failed bool) ledger.Exchange {
	e := ledger.Exchange{
		Method: o.request.Method, Path: o.request.URL.Path,
		Status: o.status, FirstByte: o.firstByte, Took: time.Since(o.arrived), Bytes: o.bytes,
	}
	// A caller may close as soon as it has everything: that is no abandoning.
	gone := o.goneEarly || !whole && !o.cut && o.request.Context().Err() != nil
	switch {
	case gone:
		e.End = ledger.EndAbandoned
	case failed:
		e.End = ledger.EndFailed
	case whole:
		e.End = ledger.EndAnswered
	default:
		e.End = ledger.EndBroken
	}
	return e
}
