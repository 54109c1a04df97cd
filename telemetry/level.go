package telemetry

import (
	"context"
	"log/slog"
)

// leveled keeps records below a level from a handler.
type leveled struct {
	slog.Handler
	least slog.Leveler
}

var _ slog.Handler = leveled{}

func (h leveled) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= h.least.Level() && h.Handler.Enabled(ctx, level)
}

func (h leveled) WithAttrs(attrs []slog.Attr) slog.Handler {
	return leveled{h.Handler.WithAttrs(attrs), h.least}
}

func (h leveled) WithGroup(name string) slog.Handler {
	return leveled{h.Handler.WithGroup(name), h.least}
}
