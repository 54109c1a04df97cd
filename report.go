package brunt

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/brunt-go/brunt/internal/console"
)

// scopeName is whose log records these are.
const scopeName = "github.com/brunt-go/brunt"

// reporter says what becomes of an App, to its own logs. As long as there are none,
// and where they take no errors, what failed goes to Stderr: an App that ends without
// a word is of no use to anyone.
type reporter struct {
	log    *slog.Logger
	stderr *slog.Logger
}

func newReporter(stderr io.Writer) *reporter {
	return &reporter{log: slog.New(slog.DiscardHandler), stderr: slog.New(console.NewHandler(stderr, nil))}
}

// use makes log the App's own.
func (r *reporter) use(log *slog.Logger) { r.log = log }

// info records a step of the App's life.
func (r *reporter) info(ctx context.Context, what string, attrs ...slog.Attr) {
	record(ctx, r.log, slog.LevelInfo, what, attrs...)
}

// failed is the one record of a failure. It reads "where: error".
func (r *reporter) failed(ctx context.Context, where string, err error) {
	attrs := []slog.Attr{slog.String("where", where)}
	var p *PanicError
	if errors.As(err, &p) {
		attrs = append(attrs, slog.String("stack", string(p.Stack)))
	}
	log := r.log
	if !log.Enabled(ctx, slog.LevelError) {
		log = r.stderr
	}
	record(ctx, log, slog.LevelError, where+": "+err.Error(), attrs...)
}

// unflushed says on Stderr that telemetry was lost. Its own logs can't any more.
func (r *reporter) unflushed(ctx context.Context, err error) {
	record(ctx, r.stderr, slog.LevelWarn, "telemetry was not flushed: "+err.Error())
}

// killed says on Stderr that the App ended at once. There is no time to flush a log.
func (r *reporter) killed(ctx context.Context, status Status) {
	record(ctx, r.stderr, slog.LevelWarn, status.Err().Error())
}

// record is for messages that hold an error's text, which slog's methods are not. The
// record is made though ctx be done: some exporters give up on one that is.
func record(ctx context.Context, log *slog.Logger, level slog.Level, message string, attrs ...slog.Attr) {
	if ctx = context.WithoutCancel(ctx); log.Enabled(ctx, level) {
		r := slog.NewRecord(time.Now(), level, message, 0)
		r.AddAttrs(attrs...)
		_ = log.Handler().Handle(ctx, r)
	}
}
