package httpproxy_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

const (
	ms       = time.Millisecond
	patience = 10 * time.Second
)

// Every fault, with its exact times and bytes: what the caller sees, whether the
// upstream was asked, what the wire shows, and that the two receipts agree.
func TestFaults(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name     string
		faults   []httpproxy.Fault
		upstream http.Handler
		patience time.Duration
		status   int
		body     string
		err      error // what the caller's error is, if any
		took     time.Duration
		asked    int64
		end      ledger.End
		first    time.Duration // when the answer's header left
	}{
		{"delay", []httpproxy.Fault{&httpproxy.Delay{Header: 240 * ms}}, hello, patience, 200, answer, nil, 240 * ms, 1, ledger.EndAnswered, 240 * ms},
		{"delay_works_meanwhile", []httpproxy.Fault{&httpproxy.Delay{Header: 240 * ms}}, slow, patience, 200, answer, nil, 240 * ms, 1, ledger.EndAnswered, 240 * ms},
		{"delay_shorter_than_upstream", []httpproxy.Fault{&httpproxy.Delay{Header: 100 * ms}}, slow, patience, 200, answer, nil, 150 * ms, 1, ledger.EndAnswered, 150 * ms},
		{"delay_caller_gives_up", []httpproxy.Fault{&httpproxy.Delay{Header: 240 * ms}}, hello, 100 * ms, 0, "", context.DeadlineExceeded, 100 * ms, 1, ledger.EndAbandoned, 0},
		{"delay_body", []httpproxy.Fault{&httpproxy.Delay{Body: 160 * ms, AfterBytes: 5}}, hello, patience, 200, answer, nil, 160 * ms, 1, ledger.EndAnswered, 0},
		{"delay_header_and_body", []httpproxy.Fault{&httpproxy.Delay{Header: 80 * ms, Body: 80 * ms}}, hello, patience, 200, answer, nil, 160 * ms, 1, ledger.EndAnswered, 80 * ms},
		{"delay_body_caller_gives_up", []httpproxy.Fault{&httpproxy.Delay{Body: 160 * ms, AfterBytes: 5}}, hello, 100 * ms, 200, "hello", context.DeadlineExceeded, 100 * ms, 1, ledger.EndAbandoned, 0},
		{"reply_takes_its_time", []httpproxy.Fault{&httpproxy.Reply{Status: 503, Body: "no"}}, slow, patience, 503, "no", nil, 150 * ms, 1, ledger.EndAnswered, 150 * ms},
		{"reply_same_status", []httpproxy.Fault{&httpproxy.Reply{Status: 200, Body: "garbage"}}, hello, patience, 200, "garbage", nil, 0, 1, ledger.EndAnswered, 0},
		{"reply_skips", []httpproxy.Fault{&httpproxy.Reply{Status: 503, Upstream: httpproxy.UpstreamSkip}}, slow, patience, 503, "", nil, 0, 0, ledger.EndAnswered, 0},
		{"reply_caller_gives_up", []httpproxy.Fault{&httpproxy.Reply{Status: 503}}, slow, 100 * ms, 0, "", context.DeadlineExceeded, 100 * ms, 1, ledger.EndAbandoned, 0},
		{"late_reply", []httpproxy.Fault{&httpproxy.Delay{Header: 90 * ms}, &httpproxy.Reply{Status: 500, Upstream: httpproxy.UpstreamSkip}}, hello, patience, 500, "", nil, 90 * ms, 0, ledger.EndAnswered, 90 * ms},
		{"hang", []httpproxy.Fault{&httpproxy.Hang{}}, hello, 700 * ms, 0, "", context.DeadlineExceeded, 700 * ms, 0, ledger.EndAbandoned, 0},
		{"reset", []httpproxy.Fault{&httpproxy.Reset{}}, hello, patience, 0, "", syscall.ECONNRESET, 0, 0, ledger.EndBroken, 0},
		{"truncate", []httpproxy.Fault{&httpproxy.Truncate{AfterBytes: 5}}, hello, patience, 200, "hello", io.ErrUnexpectedEOF, 0, 1, ledger.EndBroken, 0},
		{"lost", []httpproxy.Fault{&httpproxy.Lost{}}, slow, patience, 0, "", syscall.ECONNRESET, 150 * ms, 1, ledger.EndBroken, 0},
		{"lost_hangs", []httpproxy.Fault{&httpproxy.Lost{Then: httpproxy.ThenHang}}, slow, 700 * ms, 0, "", context.DeadlineExceeded, 700 * ms, 1, ledger.EndAbandoned, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, row.upstream, func(r *rig) {
				armed := r.breakAll(row.faults...)
				g := r.get("/record", row.patience)
				if err := armed.Wait(r.t.Context()); err != nil {
					t.Fatal(err)
				}
				if g.status != row.status || g.body != row.body || g.took != row.took || !errors.Is(g.err, row.err) {
					t.Errorf("the caller got %d %q after %v, error %v; want %d %q after %v, error %v",
						g.status, g.body, g.took, g.err, row.status, row.body, row.took, row.err)
				}
				if n := r.asked.Load(); n != row.asked {
					t.Errorf("the upstream was asked %d times, want %d", n, row.asked)
				}
				_, d := only[ledger.Decision](r)
				if want := httpproxy.FaultNames(row.faults); !d.Injected || d.Rule != "all" || d.Fault != want {
					t.Errorf("decision %+v, want rule all to inject %s", d, want)
				}
				_, x := only[ledger.Exchange](r)
				if x.End != row.end || x.Took != row.took || x.FirstByte != row.first || x.Status != row.status || x.ID != d.Exchange {
					t.Errorf("the wire shows %+v, want end %s after %v, header after %v, status %d", x, row.end, row.took, row.first, row.status)
				}
				if x.Bytes != int64(len(row.body)) {
					t.Errorf("the wire shows %d bytes, the caller got %d", x.Bytes, len(row.body))
				}
				for _, f := range row.faults {
					if !f.Witnessed(x) {
						t.Errorf("%s does not see itself in %+v", f.Kind(), x)
					}
				}
			})
		})
	}
}

// A fault must not see itself in an exchange that nothing happened to.
func TestFaults_notWitnessedUntouched(t *testing.T) {
	t.Parallel()
	inFakeTime(t, hello, func(r *rig) {
		r.arm(httpproxy.Arming{})
		if g := r.get("/", patience); g.status != 200 || g.body != answer {
			t.Fatalf("untouched call got %+v", g)
		}
		_, x := only[ledger.Exchange](r)
		for _, f := range []httpproxy.Fault{
			&httpproxy.Delay{Header: ms}, &httpproxy.Delay{Body: ms}, &httpproxy.Reply{Status: 503}, &httpproxy.Reply{Status: 200}, &httpproxy.Reply{Status: 200, Body: "garbage"},
			&httpproxy.Hang{}, &httpproxy.Reset{}, &httpproxy.Truncate{AfterBytes: 1}, &httpproxy.Lost{},
		} {
			if f.Witnessed(x) {
				t.Errorf("%s sees itself in %+v", f.Kind(), x)
			}
		}
	})
}

// An answer too short to cut passes whole, and the wire does not pretend.
func TestTruncate_shortAnswer(t *testing.T) {
	t.Parallel()
	inFakeTime(t, hello, func(r *rig) {
		fault := &httpproxy.Truncate{AfterBytes: int64(len(answer))}
		r.breakAll(fault)
		if g := r.get("/", patience); g.err != nil || g.body != answer {
			t.Errorf("got %+v, want the whole answer", g)
		}
		if _, x := only[ledger.Exchange](r); fault.Witnessed(x) {
			t.Errorf("a whole answer passes for a cut one: %+v", x)
		}
	})
}

// A reply that says a write failed must not let the write happen.
func TestReply_unsafeMethods(t *testing.T) {
	t.Parallel()
	for method, asked := range map[string]int64{
		http.MethodGet: 1, http.MethodHead: 1, http.MethodOptions: 1,
		http.MethodPost: 0, http.MethodPut: 0, http.MethodDelete: 0, http.MethodPatch: 0,
	} {
		t.Run(strings.ToLower(method), func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, hello, func(r *rig) {
				r.breakAll(&httpproxy.Reply{Status: 503})
				req, _ := http.NewRequest(method, proxyURL, nil)
				resp, err := r.client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if resp.StatusCode != 503 || r.asked.Load() != asked {
					t.Errorf("status %d, the upstream asked %d times; want 503, %d", resp.StatusCode, r.asked.Load(), asked)
				}
			})
		})
	}
}

// A fault that is removed lets what it holds go on at once.
func TestArmed_removalReleases(t *testing.T) {
	t.Parallel()
	for _, fault := range []httpproxy.Fault{&httpproxy.Hang{}, &httpproxy.Delay{Header: time.Hour}, &httpproxy.Delay{Body: time.Hour}} {
		t.Run(fault.Kind(), func(t *testing.T) {
			t.Parallel()
			inFakeTime(t, hello, func(r *rig) {
				armed := r.breakAll(fault)
				time.AfterFunc(time.Second, armed.Disarm)
				g := r.get("/", 2*time.Hour)
				if g.status != 200 || g.body != answer || g.took != time.Second {
					t.Errorf("got %+v, want the answer after 1s", g)
				}
				if g := r.get("/", patience); g.took != 0 {
					t.Errorf("a call after the removal took %v", g.took)
				}
			})
		})
	}
}

// A hanging POST is noticed when its caller gives up, and goes on with its body
// when the fault is removed.
func TestHang_withBody(t *testing.T) {
	t.Parallel()
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	for _, size := range []int{10, 3 << 20} {
		inFakeTime(t, echo, func(r *rig) {
			armed := r.breakAll(&httpproxy.Hang{})
			body := strings.Repeat("x", size)
			time.AfterFunc(time.Second, armed.Disarm)
			resp, err := r.client.Post(proxyURL, "text/plain", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || string(data) != body {
				t.Errorf("%d of %d bytes came back, error %v", len(data), size, err)
			}
		})
	}
}

// The longest time an arm allows bounds a hang.
func TestHang_maxHold(t *testing.T) {
	t.Parallel()
	inFakeTime(t, hello, func(r *rig) {
		r.arm(httpproxy.Arming{
			MaxHold: 3 * time.Second,
			Rules:   httpproxy.Rules{List: []httpproxy.Rule{{Name: "all", Share: 1, Faults: []httpproxy.Fault{&httpproxy.Hang{}}}}},
		})
		g := r.get("/", patience)
		if g.took != 3*time.Second || !errors.Is(g.err, syscall.ECONNRESET) {
			t.Errorf("ended after %v with %v, want a reset after 3s", g.took, g.err)
		}
	})
}

// A lease that nobody renews removes the faults, to the instant.
func TestArmed_lease(t *testing.T) {
	t.Parallel()
	inFakeTime(t, hello, func(r *rig) {
		armed := r.arm(httpproxy.Arming{
			Lease: 30 * time.Second,
			Rules: httpproxy.Rules{List: []httpproxy.Rule{{Name: "all", Share: 1, Faults: []httpproxy.Fault{&httpproxy.Hang{}}}}},
		})
		time.AfterFunc(20*time.Second, armed.Renew)
		g := r.get("/", time.Hour)
		if g.status != 200 || g.took != 50*time.Second || !armed.Expired() {
			t.Errorf("got %+v, expired %v; want the answer after 20s + 30s", g, armed.Expired())
		}
		armed.Renew() // too late: it must not come back
		if g := r.get("/", time.Hour); g.took != 0 {
			t.Errorf("a call after the lease took %v", g.took)
		}
	})
}
