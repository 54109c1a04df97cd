package browsertest

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/brunt-go/brunt/internal/golden"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/control"
)

// narrow is the width of the smallest phones.
func narrow(scheme string) screen { return screen{"narrow_" + scheme, 360, 740, true, scheme} }

// until waits until a JavaScript expression is true, on whatever page the tab is
// by then.
func (p *tab) until(t *testing.T, expression string) {
	t.Helper()
	var err error
	for range 5 {
		_, err = chromedp.Run(p.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(patience)))
		if err == nil || !strings.Contains(err.Error(), "navigated") && !strings.Contains(err.Error(), "Cannot find context") {
			break // else the tab has gone to another page
		}
	}
	if err != nil {
		t.Fatalf("never true: %s: %v; focus on %s; said %q", expression, err,
			eval[string](t, p, `document.activeElement.outerHTML.slice(0, 200)`), eval[string](t, p, `document.getElementById("said").textContent`))
	}
}

// tabTo presses Tab until the focus is on what a selector names, which must be
// seen to have it.
func (p *tab) tabTo(t *testing.T, selector string) {
	t.Helper()
	for range 60 {
		p.do(t, chromedp.KeyEvent(kb.Tab))
		if eval[bool](t, p, `document.activeElement.matches(`+strconv.Quote(selector)+`)`) {
			if eval[string](t, p, `getComputedStyle(document.activeElement).outlineStyle`) == "none" {
				t.Errorf("the focus on %s cannot be seen", selector)
			}
			return
		}
	}
	t.Fatalf("60 times Tab never reach %s", selector)
}

// While connections come and go, a toxic is added by keyboard alone, its hits are
// seen to rise, what is being typed stays, and it is removed by keyboard again.
func TestStatusPage_keyboard(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	traffic(t, d.create(t, "", "db", echo(t)))
	p := start(t).visit(t, d.url+"/ui/proxies/db", screens()[0])
	p.tabTo(t, ".skip")
	p.do(t, chromedp.KeyEvent(kb.Enter))
	p.tabTo(t, "#add-type")
	p.tabTo(t, "#add-latency-latency")
	p.do(t, chromedp.KeyEvent("2"))
	p.tabTo(t, "#add button")
	p.do(t, chromedp.KeyEvent(kb.Enter))
	p.until(t, `document.querySelector("#said").textContent === "Toxic added."`)
	if toxics, err := d.Toxics("", "db"); err != nil || len(toxics) != 1 || string(toxics[0].Attributes) != `{"latency":2,"jitter":0}` {
		t.Errorf("the proxy has %v (%v), want latency of 2 ms", toxics, err)
	}
	if !eval[bool](t, p, `document.activeElement.matches("#add button")`) {
		t.Error("the focus left the button that was pressed")
	}

	if got := eval[string](t, p, `document.querySelector("#add-latency-latency").value`); got != "" {
		t.Errorf("the form still holds %q, want it empty for the next toxic", got)
	}

	const hits = `Number((document.querySelector("#toxic-list .hits b") || { textContent: "0" }).textContent.replace(/\s/g, ""))`
	p.until(t, hits+` > 0`)
	p.tabTo(t, "#add-latency-jitter")
	p.do(t, chromedp.KeyEvent("34"))
	eval[bool](t, p, `(window.before = [`+hits+`, scrollY]) && true`)
	p.until(t, hits+` > before[0] + 3`)
	if got := eval[string](t, p, `document.activeElement.id + " " + document.activeElement.value + " " + (scrollY === before[1])`); got != "add-latency-jitter 34 true" {
		t.Errorf("after the hits rose: %q, want the field, what was typed, the same place", got)
	}
	if n := eval[int](t, p, `document.querySelectorAll("[aria-live], [role=log], [role=alert]").length`); n > 0 {
		t.Errorf("%d parts of the page are read out whenever they change", n)
	}
	if heard := eval[string](t, p, `document.querySelector("#said").textContent`); heard != "Toxic added." {
		t.Errorf("a screen reader was told %q while nothing was done", heard)
	}

	p.tabTo(t, "#toxic-list form[id^=remove] button")
	p.do(t, chromedp.KeyEvent(kb.Enter))
	p.until(t, `document.querySelector("#said").textContent === "Toxic removed." && !document.querySelector("#toxic-list")`)
	if toxics, err := d.Toxics("", "db"); err != nil || len(toxics) > 0 {
		t.Errorf("the proxy has %v (%v), want none", toxics, err)
	}
	if got := eval[string](t, p, `document.activeElement.id`); got != "toxics" {
		t.Errorf("the focus is on %q, want the heading above what was removed", got)
	}
	if got := eval[string](t, p, `document.querySelector("#add-latency-jitter").value`); got != "34" {
		t.Errorf("what was typed elsewhere is %q, want 34", got)
	}
	if heard := p.heard(); len(heard) > 0 {
		t.Errorf("the page is not quiet: %q", heard)
	}
}

// What comes, goes and changes around the focus leaves it where it is.
func TestStatusPage_focusStays(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.create(t, "", "db", "127.0.0.1:1")
	for _, name := range []string{"first", "second", "third"} {
		d.toxic(t, "db", control.ToxicSpec{Name: name, Type: "noop"})
	}
	p := start(t).visit(t, d.url+"/ui/proxies/db", screens()[0])
	eval[bool](t, p, `document.querySelector("#toxic-list > li:nth-child(3) summary").focus(), (window.held = document.activeElement) !== null`)
	for _, name := range []string{"first", "third"} {
		if err := d.RemoveToxic("", "db", name); err != nil {
			t.Fatal(err)
		}
		if name == "first" {
			p.until(t, `document.querySelectorAll("#toxic-list > li").length === 2`)
			if !eval[bool](t, p, `document.activeElement === held`) {
				t.Error("the focus was lost when a toxic above it went")
			}
		}
	}
	p.until(t, `document.querySelectorAll("#toxic-list > li").length === 1 && document.activeElement.id === "toxics"`)
}

// A form that is pressed twice is sent once, and one that has become another one
// meanwhile is sent after the first.
func TestStatusPage_pressedTwice(t *testing.T) {
	t.Parallel()
	ports := memnet.New()
	d := newDaemon(t, control.WithListener(func(_ context.Context, network, address string) (net.Listener, error) {
		return ports.Listen(network, address)
	}))
	d.create(t, "", "db", "127.0.0.1:1")
	p := start(t).visit(t, d.url+"/ui/proxies/db", screens()[0])
	eval[bool](t, p, `document.querySelector("#add").requestSubmit(), document.querySelector("#add").requestSubmit(), true`)
	p.until(t, `document.querySelector("#toxic-list") !== null`)
	eval[bool](t, p, `(() => {
		const form = document.querySelector("#state form");
		form.requestSubmit();
		form.setAttribute("action", form.getAttribute("action").replace("disable", "enable"));
		form.requestSubmit();
		return true;
	})()`)
	p.until(t, `document.querySelector("#said").textContent === "Proxy enabled."`)
	if it, err := d.Proxy("", "db"); err != nil || !it.Enabled || len(it.Toxics) != 1 {
		t.Errorf("the proxy is %+v (%v), want it enabled with a toxic", it, err)
	}
	if n := eval[int](t, p, `document.querySelectorAll(".problem").length`); n > 0 {
		t.Errorf("%d problems", n)
	}
}

// What is wrong stands beside the field, which has the focus, until it is right.
func TestStatusPage_error(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	traffic(t, d.create(t, "", "db", echo(t)))
	d.toxic(t, "db", control.ToxicSpec{Type: "latency"})
	p := start(t).visit(t, d.url+"/ui/proxies/db", screens()[0])
	const field = `document.querySelector("#toxic-list details form input[name='latency.latency']")`
	eval[bool](t, p, `document.querySelector("#toxic-list summary").click(), `+field+`.value = "-1", true`)
	p.do(t, chromedp.Click(chromedp.CSS(`#toxic-list details form button.main`)))
	p.until(t, field+`.getAttribute("aria-invalid") === "true" && document.activeElement === `+field)
	eval[bool](t, p, `(window.before = document.querySelector("#toxic-list .hits b").textContent) !== ""`)
	p.until(t, `document.querySelector("#toxic-list .hits b").textContent !== before`) // it is live
	if got := eval[string](t, p, field+`.value + " " + document.getElementById(`+field+`.getAttribute("aria-describedby").split(" ")[0]).textContent.trim()`); got != "-1 -1, must be from 0 to 86400000" {
		t.Errorf("after the page has changed: %q", got)
	}
	eval[bool](t, p, field+`.value = "7", true`)
	p.do(t, chromedp.KeyEvent(kb.Enter))
	p.until(t, `document.querySelector("#said").textContent === "Toxic changed." && !document.querySelector("[aria-invalid]")`)
	if it, err := d.Toxic("", "db", "latency_downstream"); err != nil || string(it.Attributes) != `{"latency":7,"jitter":0}` {
		t.Errorf("the toxic has %s (%v), want 7 ms", it.Attributes, err)
	}
	if !eval[bool](t, p, `document.activeElement.matches("#toxic-list summary") && !document.querySelector("#toxic-list details").open`) {
		t.Error("the form did not fold, with the focus on what unfolds it")
	}
}

// Without a script every form works, and only the attributes of the type that is
// chosen are there.
func TestStatusPage_withoutScript(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.create(t, "", "db", echo(t))
	p := start(t).visit(t, d.url+"/ui/proxies/db", narrow("light"),
		command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	p.do(t,
		chromedp.Focus(chromedp.CSS("#add-type")),
		chromedp.KeyEvent("slicer"),
		chromedp.WaitNotVisible(chromedp.CSS("#add-latency-latency")),
		chromedp.WaitVisible(chromedp.CSS("#add-slicer-average_size")),
		chromedp.SendKeys(chromedp.CSS("#add-slicer-average_size"), "0"),
		chromedp.Click(chromedp.CSS("#add button.main")),
		chromedp.WaitVisible(chromedp.CSS("#add-slicer-average_size-problem")),
		chromedp.SendKeys(chromedp.CSS("#add-slicer-average_size"), kb.End+kb.Backspace+"5"+kb.Enter),
		chromedp.WaitVisible(chromedp.CSS("#toxic-list")),
	)
	if toxics, err := d.Toxics("", "db"); err != nil || len(toxics) != 1 || string(toxics[0].Attributes) != `{"average_size":5,"size_variation":0,"delay":0}` {
		t.Errorf("the proxy has %v (%v), want slices of 5", toxics, err)
	}
	p.do(t,
		chromedp.Click(chromedp.CSS("#toxic-list form[id^=remove] button")),
		chromedp.WaitNotPresent(chromedp.CSS("#toxic-list")),
	)
	if toxics, err := d.Toxics("", "db"); err != nil || len(toxics) > 0 {
		t.Errorf("the proxy has %v (%v), want none", toxics, err)
	}
}

// On every screen the views fit and are quiet, also with names that would break
// them, and whatever is unfolded.
func TestStatusPage_fits(t *testing.T) {
	t.Parallel()
	b := start(t)
	for name, text := range map[string]string{"plain": "", "hostile": hostile, "long": "-" + strings.Repeat("w", 200), "right_to_left": "-קפה"} {
		d := newDaemon(t)
		d.fill(t, text)
		on := []screen{screens()[0], narrow("light")}
		if text == "" {
			on = append(screens(), narrow("light"), narrow("dark"))
		}
		for _, view := range []string{"overview", "proxy"} {
			for _, s := range on {
				t.Run(name+"_"+view+"_"+s.name, func(t *testing.T) {
					t.Parallel()
					p := b.visit(t, d.url+"/ui?events=all", s)
					if view == "proxy" {
						p.toHurt(t)
					}
					eval[bool](t, p, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
					if out := eval[[]string](t, p, sideways); len(out) > 0 {
						t.Errorf("sticks out sideways: %q", out)
					}
					if eval[bool](t, p, `"pwned" in window`) {
						t.Error("a name was run")
					}
					if text == hostile && !strings.Contains(eval[string](t, p, `document.body.innerText`), shown) {
						t.Error("the name cannot be read")
					}
					if heard := p.heard(); len(heard) > 0 {
						t.Errorf("the page is not quiet: %q", heard)
					}
				})
			}
		}
	}
}

// toHurt goes to the proxy that has toxics.
func (p *tab) toHurt(t *testing.T) {
	t.Helper()
	url := eval[string](t, p, `[...document.querySelectorAll("#rows tr")].find(r => r.querySelector(".chips")).querySelector("a").href`)
	p.do(t, chromedp.Navigate(url)) // of the same server, so p.url stays
}

// The policy holds: what is put into the page from outside is not run.
func TestStatusPage_policy(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	p := start(t).visit(t, d.url+"/ui", screens()[0])
	eval[bool](t, p, `(() => {
		const s = document.createElement("script");
		s.textContent = "window.pwned = 1";
		document.body.append(s);
		document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror='window.pwned = 2'><p style='position:fixed'>x</p>");
		return true;
	})()`)
	p.until(t, `true`)
	if eval[bool](t, p, `"pwned" in window || getComputedStyle(document.body.lastChild).position === "fixed"`) {
		t.Error("the policy let it run")
	}
	if heard := strings.Join(p.heard(), "\n"); !strings.Contains(heard, "Content Security Policy") {
		t.Errorf("the policy was not broken: %s", heard)
	}
}

// Readers who asked for less motion get none.
func TestStatusPage_reducedMotion(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	b := start(t)
	for value, want := range map[string]string{"reduce": "none", "no-preference": "flash"} {
		p := b.visit(t, d.url+"/ui", screens()[0])
		p.do(t, command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: value}}}))
		if got := eval[string](t, p, `(document.querySelector("h1").classList.add("new"), getComputedStyle(document.querySelector("h1")).animationName)`); got != want {
			t.Errorf("%s: animation %q, want %q", value, got, want)
		}
	}
}

// Updates can be paused.
func TestStatusPage_pause(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	p := start(t).visit(t, d.url+"/ui", screens()[0])
	p.do(t, chromedp.Click(chromedp.CSS("#live")))
	p.until(t, `document.querySelector("#live").getAttribute("aria-pressed") === "true"`)
	d.create(t, "", "unseen", "127.0.0.1:1")
	p.do(t, chromedp.Click(chromedp.CSS("#live")))
	p.until(t, `document.querySelector("#rows") !== null`)
}

// A picture for the documentation, made anew with -update, and looked at then.
func TestStatusPage_picture(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	d.fill(t, "")
	p := start(t).visit(t, d.url+"/ui", screen{"picture", 1280, 860, false, "light"})
	p.toHurt(t)
	for _, it := range d.All() {
		if len(it.Toxics) > 0 {
			traffic(t, it.Listen)
		}
	}
	p.until(t, `/[1-9]/.test(document.querySelector("#state .figures div:nth-child(4) dd").textContent)`) // a rate
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	golden.Picture(t, picture, "../../../../docs/images/status-page.png")
}

// A view whose proxy has gone says so, and one whose daemon has.
func TestStatusPage_gone(t *testing.T) {
	t.Parallel()
	b := start(t)
	d := newDaemon(t)
	d.create(t, "", "db", "127.0.0.1:1")
	p, list := b.visit(t, d.url+"/ui/proxies/db", screens()[0]), b.visit(t, d.url+"/ui", screens()[0])
	list.until(t, `document.querySelector("#rows") !== null`)
	if err := d.Delete("", "db"); err != nil {
		t.Fatal(err)
	}
	p.until(t, `document.querySelector("#said").textContent === "No longer here: proxy not found"`)
	list.until(t, `document.querySelector("#rows") === null && document.querySelector("#proxies").textContent.includes("There is no proxy yet")`)
	d.shut()
	list.until(t, `document.querySelector("#said").textContent === "No answer from brunt proxy. Trying again."`)
}

// A proxy is made, stopped, started and deleted, each time without losing the way.
func TestStatusPage_proxies(t *testing.T) {
	t.Parallel()
	// In memory, where nobody else takes the port while the proxy is stopped.
	ports := memnet.New()
	d := newDaemon(t, control.WithListener(func(_ context.Context, network, address string) (net.Listener, error) {
		return ports.Listen(network, address)
	}))
	p := start(t).visit(t, d.url+"/ui", narrow("dark"))
	p.do(t,
		chromedp.SendKeys(chromedp.CSS("#create-name"), "new one"),
		chromedp.SendKeys(chromedp.CSS("#create-upstream"), "127.0.0.1:1\r"),
	)
	p.until(t, `location.pathname === "/ui/proxies/new%20one" && location.search === "" && document.querySelector("#said").textContent === "Proxy created."`)
	for _, enabled := range []bool{false, true} {
		p.do(t, chromedp.Click(chromedp.CSS("#state form button")))
		p.until(t, `document.querySelector("#state .badge").textContent === "`+map[bool]string{false: "disabled", true: "enabled"}[enabled]+`"`)
		if it, err := d.Proxy("", "new one"); err != nil || it.Enabled != enabled {
			t.Errorf("enabled = %v (%v), want %v", it.Enabled, err, enabled)
		}
		if !eval[bool](t, p, `document.activeElement.matches("#state form button")`) {
			t.Error("the focus left the button that was pressed")
		}
	}
	p.do(t,
		chromedp.Click(chromedp.CSS("#delete-box summary")),
		chromedp.Click(chromedp.CSS("#delete button")),
	)
	p.until(t, `location.pathname === "/ui" && document.querySelector("#said").textContent === "Proxy deleted."`)
	if left := d.All(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
