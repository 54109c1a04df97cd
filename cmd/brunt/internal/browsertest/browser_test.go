package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience bounds each conversation with the browser.
const patience = 30 * time.Second

// browser is a browser that runs.
type browser struct{ ctx context.Context }

// start starts a browser that is ended with t, or skips t where there is none.
func start(t *testing.T) browser {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless-shell"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("left out: the HTML report and the status page in a real browser (errors, requests, overflow, hostile names, keyboard, accessibility): no chromium here; `make test` installs it on Debian")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // the pages are our own, and root has no sandbox
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(allocator)
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return browser{ctx}
}

// screen is what a page is looked at on.
type screen struct {
	name          string
	width, height int64
	mobile        bool
	scheme        string
}

func screens() []screen {
	return []screen{
		{"desktop_light", 1280, 800, false, "light"},
		{"desktop_dark", 1280, 800, false, "dark"},
		{"phone_light", 390, 844, true, "light"},
		{"phone_dark", 390, 844, true, "dark"},
	}
}

// tab is a page that is open.
type tab struct {
	ctx context.Context
	url string

	mu         sync.Mutex
	complaints []string
}

// open shows html from a file, in a tab of its own.
func (b browser) open(t *testing.T, html []byte, s screen) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, html, 0o644); err != nil {
		t.Fatal(err)
	}
	return b.visit(t, "file://"+file, s)
}

// visit shows a page in a tab of its own. first is done before it is asked for.
func (b browser) visit(t *testing.T, url string, s screen, first ...chromedp.Action[chromedp.Void]) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(b.ctx)
	t.Cleanup(end)
	p := &tab{ctx: ctx, url: url}
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	p.do(t,
		command(network.Enable, network.EnableParams{}),
		command(log.Enable, cdp.Empty{}),
		command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: s.width, Height: s.height, DeviceScaleFactor: 1, Mobile: s.mobile}),
		command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.scheme}}}),
	)
	p.do(t, append(first, chromedp.Navigate(p.url))...)
	return p
}

// command is a protocol command as an action.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, c, params)
		return err
	})
}

// listen keeps whatever a quiet page would not do.
func (p *tab) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		p.complain("console: %s", e.Type)
	case *runtime.EventExceptionThrown:
		p.complain("exception: %s", e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		p.complain("log: %s", e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		p.complain("dialog: %s", e.Message)
	case *network.EventRequestWillBeSent:
		if e.Request.URL != p.url && !p.own(e.Request.URL) && !strings.HasPrefix(e.Request.URL, "data:") {
			p.complain("request: %s", e.Request.URL)
		}
	}
}

// own reports whether a page that is served asks its own server.
func (p *tab) own(url string) bool {
	scheme, rest, _ := strings.Cut(p.url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme == "http" && strings.HasPrefix(url, "http://"+host+"/ui")
}

func (p *tab) complain(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.complaints = append(p.complaints, fmt.Sprintf(format, args...))
}

// heard are the complaints so far.
func (p *tab) heard() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.complaints...)
}

func (p *tab) do(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	// The first use of a context starts its tab, which lives as long as it.
	if err := chromedp.Do(p.ctx); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// eval is what a JavaScript expression has as its value on the page.
func eval[T any](t *testing.T, p *tab, expression string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("evaluate %s: %v", expression, err)
	}
	return v
}
