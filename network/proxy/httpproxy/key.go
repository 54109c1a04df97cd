package httpproxy

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Key says what identifies a request. The zero Key is the trace id of the
// request's traceparent header or, without one, the request's ordinal.
type Key struct {
	source keySource
	name   string
}

type keySource int

const (
	byTraceThenOrdinal keySource = iota
	byTrace
	byOrdinal
	byQuery
	byHeader
)

// ParseKey reads a key: "query.NAME", "header.NAME", "trace", "ordinal", or ""
// for the zero Key.
func ParseKey(s string) (Key, error) {
	source, name, dotted := strings.Cut(s, ".")
	switch {
	case s == "":
		return Key{}, nil
	case s == "trace":
		return Key{source: byTrace}, nil
	case s == "ordinal":
		return Key{source: byOrdinal}, nil
	case dotted && name != "" && source == "query":
		return Key{source: byQuery, name: name}, nil
	case dotted && name != "" && source == "header":
		return Key{source: byHeader, name: http.CanonicalHeaderKey(name)}, nil
	}
	return Key{}, fmt.Errorf("key %q, want query.NAME, header.NAME, trace or ordinal", s)
}

// String is the form ParseKey reads.
func (k Key) String() string {
	switch k.source {
	case byTrace:
		return "trace"
	case byOrdinal:
		return "ordinal"
	case byQuery:
		return "query." + k.name
	case byHeader:
		return "header." + k.name
	default:
		return ""
	}
}

// Identity reports whether the key is the same for each attempt of one logical
// call. An ordinal is not: it counts requests.
func (k Key) Identity() bool { return k.source != byOrdinal }

// Of returns the key of r, the request with the given ordinal (from 0), or ""
// when r has none.
func (k Key) Of(r *http.Request, ordinal uint64) string { return k.of(r, TraceID(r.Header), ordinal) }

// of is Of for a request whose trace id is known.
func (k Key) of(r *http.Request, trace string, ordinal uint64) string {
	switch k.source {
	case byTrace:
		return trace
	case byOrdinal:
		return strconv.FormatUint(ordinal, 10)
	case byQuery:
		return queryValue(r.URL.RawQuery, k.name)
	case byHeader:
		return r.Header.Get(k.name)
	default:
		if trace != "" {
			return trace
		}
		return strconv.FormatUint(ordinal, 10)
	}
}

// queryValue is the first value of a name in a query, as url.Values has it, or
// "". It leaves the query's other names alone: reading them all costs more than
// all else that is decided about a request.
func queryValue(query, name string) string {
	for pair := range strings.SplitSeq(query, "&") {
		if strings.Contains(pair, ";") {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		if key, err := url.QueryUnescape(key); err != nil || key != name {
			continue
		}
		if value, err := url.QueryUnescape(value); err == nil {
			return value
		}
	}
	return ""
}

// TraceID returns the trace id, 32 lower-case hex digits, of the W3C
// traceparent in h, or "" when there is none that the standard allows.
func TraceID(h http.Header) string {
	const (
		versionEnd, idEnd, spanEnd, flagsEnd = 2, 35, 52, 55
		none                                 = "00000000000000000000000000000000"
	)
	values := h["Traceparent"] // Get would first see to the name's case
	if len(values) == 0 {
		return ""
	}
	v := values[0]
	if len(v) < flagsEnd || v[versionEnd] != '-' || v[idEnd] != '-' || v[spanEnd] != '-' || v[:versionEnd] == "ff" {
		return ""
	}
	if len(v) > flagsEnd && (v[:versionEnd] == "00" || v[flagsEnd] != '-') {
		return ""
	}
	id := v[versionEnd+1 : idEnd]
	for i := range len(id) {
		if c := id[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return ""
		}
	}
	if id == none {
		return ""
	}
	return id
}
