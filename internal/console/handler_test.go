package console_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/internal/console"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, message string
		attrs         []any
		want          string
	}{
		{"one line", "hello", []any{"who", "a b"}, "level=INFO msg=hello who=\"a b\"\n"},
		{"message", "init: A=\"x\": no\nB: not set", []any{"where", "init"},
			"level=INFO msg=\"init: A=\\\"x\\\": no\" where=init\n  B: not set\n"},
		{"attribute", "panicked", []any{"stack", "main.f()\n\tmain.go:7\n", "n", 1},
			"level=INFO msg=panicked n=1\n  stack:\n    main.f()\n      main.go:7\n"},
		{"terminal", "a\n\x1b[2Jb\r\n", nil, "level=INFO msg=a\n  \\x1b[2Jb\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var out writes
			h := console.NewHandler(&out, nil)
			slog.New(h).Info(row.message, row.attrs...) //nolint:sloglint // one row each
			if len(out) != 1 {
				t.Fatalf("%d writes, want 1: %q", len(out), out)
			}
			_, got, _ := strings.Cut(out[0], " ") // the time
			if got != row.want {
				t.Errorf("wrote\n%swant\n%s", got, row.want)
			}
		})
	}
}

// What a logger was given comes with every record, in its group.
func TestHandler_with(t *testing.T) {
	t.Parallel()
	var out writes
	log := slog.New(console.NewHandler(&out, nil)).With("tenant", "acme").WithGroup("http")
	log.Handler().Handle(t.Context(), slog.NewRecord(time.Time{}, slog.LevelWarn, "a\nb", 0))
	log.Info("served", "status", 200)
	if got, want := out[0], "level=WARN msg=a tenant=acme\n  b\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
	if !strings.HasSuffix(out[1], "msg=served tenant=acme http.status=200\n") {
		t.Errorf("wrote %q", out[1])
	}
}

// writes are what was written by each call.
type writes []string

func (w *writes) Write(b []byte) (int, error) {
	*w = append(*w, string(b))
	return len(b), nil
}
