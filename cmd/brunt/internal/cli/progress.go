package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/brunt-go/brunt/judge/experiment"
)

// redraw is how often a live line is drawn anew at most.
const redraw = 80 * time.Millisecond

// progress tells how a run goes: one live line on a terminal, one line for each
// finished arm in a pipe.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	live  bool
	drawn time.Time
	dirty bool // a live line stands on the terminal
}

var _ io.Writer = (*progress)(nil)

// Write writes a line of the log where a live line may stand.
func (p *progress) Write(line []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	return p.w.Write(line)
}

func (p *progress) report(x experiment.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x.Finished {
		p.clear()
		f := x.Result.Figures
		fmt.Fprintf(p.w, "%s %4d calls  %3d broken  %4d full  %4d degraded  %4d dropped  %s\n",
			armLabel(x), f.Requests, f.Injected, f.Full, f.Degraded, f.Dropped, x.Result.Took.Round(time.Millisecond))
		return
	}
	if !p.live || time.Since(p.drawn) < redraw {
		return
	}
	p.drawn, p.dirty = time.Now(), true
	const width = 24
	filled := width * x.Done / max(1, x.Total)
	fmt.Fprintf(p.w, "\r\x1b[K%s %s %d/%d  %d broken", armLabel(x), bar(filled, width), x.Done, x.Total, x.Injected)
}

// clear takes the live line away.
func (p *progress) clear() {
	if p.dirty {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.dirty = false
	}
}

func armLabel(x experiment.Progress) string {
	if x.Variant == "" {
		return fmt.Sprintf("%-12s", x.Arm)
	}
	return fmt.Sprintf("%-12s %-8s", x.Variant, x.Arm)
}

func bar(filled, width int) string {
	out := make([]rune, width)
	for i := range out {
		out[i] = '·'
		if i < filled {
			out[i] = '█'
		}
	}
	return string(out)
}
