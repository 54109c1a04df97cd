package fit

import (
	"context"
	"encoding/hex"
	"strconv"

	"go.opentelemetry.io/otel/trace"

	"github.com/brunt-go/brunt/internal/seeded"
)

// shares reports whether the request is in the rule's share of the requests.
// The answer is a function of the seed, the trace, the point and the attempt,
// so asking again, in parallel or on a replay changes nothing. A request that
// no trace identifies is in no share but that of all requests: deciding for all
// of them together would turn a small share into everyone or no one.
func (r *Rule) shares(ctx context.Context, point string, attempt int) bool {
	if r.Share == 0 || r.Share >= 1 {
		return true
	}
	id := trace.SpanContextFromContext(ctx).TraceID()
	if !id.IsValid() {
		return false
	}
	return unit(r.Seed, id, point, attempt) < r.Share
}

// unit is the number in [0, 1) of a visit. It is part of the wire format: a seed
// written down today must choose the same requests in every later version.
func unit(seed uint64, id trace.TraceID, point string, attempt int) float64 {
	// Both texts stay on the stack: a visit costs no allocation.
	var digits [20]byte
	var hexed [2 * len(id)]byte
	hex.Encode(hexed[:], id[:])
	// The trace is a part like the others rather than UnitKey's key, which
	// would first try to read it as an ordinal.
	key := seeded.Derive(seeded.Seed(seed), string(hexed[:]), point, string(strconv.AppendInt(digits[:0], int64(attempt), 10)))
	return seeded.Unit(key, 0)
}
