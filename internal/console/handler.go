// Package console writes log records for people: as slog's text, with what has several
// lines below it, a line each.
package console

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

	"github.com/brunt-go/brunt/internal/visible"
)

// handler is slog's, but for text of several lines, which that makes one line of that
// nobody can read.
type handler struct {
	slog.Handler // writes to out's buffer
	out          *output
}

// output is what handlers made of one another write to.
type output struct {
	mu     sync.Mutex
	buffer bytes.Buffer
	to     io.Writer
}

// NewHandler returns a handler that writes each record to w, by one call. It is safe for
// concurrent use.
func NewHandler(w io.Writer, options *slog.HandlerOptions) slog.Handler {
	out := &output{to: w}
	return &handler{slog.NewTextHandler(&out.buffer, options), out}
}

// Handle implements slog.Handler.
func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	r, below := apart(r)
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	h.out.buffer.Reset()
	if err := h.Handler.Handle(ctx, r); err != nil {
		return err
	}
	h.out.buffer.WriteString(below)
	_, err := h.out.to.Write(h.out.buffer.Bytes())
	return err
}

// WithAttrs implements slog.Handler.
func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &handler{h.Handler.WithAttrs(attrs), h.out}
}

// WithGroup implements slog.Handler.
func (h *handler) WithGroup(name string) slog.Handler {
	return &handler{h.Handler.WithGroup(name), h.out}
}

// apart returns r with the first line of its message, and without the attributes that
// have several, and what that leaves out.
func apart(r slog.Record) (slog.Record, string) {
	var below strings.Builder
	first, rest, several := strings.Cut(r.Message, "\n")
	if several {
		indent(&below, "  ", rest)
	}
	var attrs []slog.Attr
	r.Attrs(func(a slog.Attr) bool {
		if text := a.Value.Resolve(); text.Kind() == slog.KindString && strings.Contains(text.String(), "\n") {
			several = true
			below.WriteString("  " + a.Key + ":\n")
			indent(&below, "    ", text.String())
		} else {
			attrs = append(attrs, a)
		}
		return true
	})
	if !several {
		return r, ""
	}
	short := slog.NewRecord(r.Time, r.Level, first, r.PC)
	short.AddAttrs(attrs...)
	return short, below.String()
}

func indent(b *strings.Builder, by, text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		deeper := len(line) - len(strings.TrimLeft(line, "\t"))
		b.WriteString(by + strings.Repeat("  ", deeper) + visible.Line(line[deeper:]) + "\n")
	}
}
