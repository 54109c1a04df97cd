package experiment

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/network/memnet"
)

// An open loop starts each call when it is due, whatever the others do.
func TestLoad_openLoop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := Load{Rate: 50, Duration: 14 * time.Second}
		start := time.Now()
		var mu sync.Mutex
		begun := map[int]time.Duration{}
		l.each(t.Context(), func(_ context.Context, index int, due time.Time) {
			mu.Lock()
			begun[index] = time.Since(start)
			mu.Unlock()
			if due.Sub(start) != time.Duration(index)*20*time.Millisecond {
				t.Errorf("call %d was due after %v", index, due.Sub(start))
			}
			time.Sleep(3 * time.Second) // slower than the pace
		}, func(context.Context, int, time.Time) { t.Error("there was room") })
		if len(begun) != 700 {
			t.Errorf("%d calls, want 50/s for 14s", len(begun))
		}
		for index, at := range begun {
			if want := time.Duration(index) * 20 * time.Millisecond; at != want {
				t.Errorf("call %d began after %v, want %v", index, at, want)
			}
		}
	})
}

// What an open loop has no room for is told, and not waited for.
func TestLoad_openLoopOverload(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := Load{Rate: 10, Duration: time.Second, MaxInFlight: 3}
		var done, over []int
		var mu sync.Mutex
		l.each(t.Context(), func(_ context.Context, index int, _ time.Time) {
			time.Sleep(time.Minute)
			mu.Lock()
			done = append(done, index)
			mu.Unlock()
		}, func(_ context.Context, index int, _ time.Time) { over = append(over, index) })
		if len(done) != 3 || len(over) != 7 || over[0] != 3 {
			t.Errorf("%v ran and %v had no room, want the first 3 to run", done, over)
		}
	})
}

// A closed loop keeps its calls under way, each index once.
func TestLoad_closedLoop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := Load{Requests: 100, Concurrency: 8}
		var mu sync.Mutex
		seen, now, most := map[int]bool{}, 0, 0
		start := time.Now()
		l.each(t.Context(), func(_ context.Context, index int, _ time.Time) {
			mu.Lock()
			seen[index] = true
			now++
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			now--
			mu.Unlock()
		}, nil)
		if len(seen) != 100 || most != 8 || time.Since(start) != 13*time.Second {
			t.Errorf("%d calls, %d at once, in %v; want 100, 8, in 13s", len(seen), most, time.Since(start))
		}
	})
}

func TestCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		listener, err := n.Listen("tcp", "svc:80")
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/slow":
				<-r.Context().Done()
			case "/moved":
				http.Redirect(w, r, "/elsewhere", http.StatusFound)
			case "/cut":
				w.Header().Set("Content-Length", "10")
				io.WriteString(w, "half")
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			default:
				body, _ := io.ReadAll(r.Body)
				io.WriteString(w, r.Method+" "+r.URL.String()+" "+r.Header.Get("X-Order")+" "+r.Host+" "+string(body))
			}
		})}
		ended := make(chan error)
		go func() { ended <- server.Serve(listener) }()
		names := Names{Services: map[string]Endpoint{"svc": endpoint("svc:80")}}
		call := func(l Load, index int) Answer {
			client := newClient(l, n.DialContext)
			defer client.CloseIdleConnections()
			c, err := newCaller(l, 7, names, client)
			if err != nil {
				t.Fatal(err)
			}
			r, trace, err := c.request(t.Context(), index)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Header.Get("Traceparent"); got != "00-"+trace+"-"+trace[:16]+"-01" || len(got) != 55 {
				t.Errorf("traceparent %q of trace %q", got, trace)
			}
			return c.call(r, time.Now())
		}
		a := call(Load{
			Method: "POST", URL: "{{.Services.svc.URL}}/order?i={{.Index}}",
			Header: map[string]string{"X-Order": "n{{.Index}}", "Host": "shop"}, Body: `{"n":{{.Index}}}`,
		}, 3)
		if a.Err != nil || string(a.Body) != `POST /order?i=3 n3 shop {"n":3}` {
			t.Errorf("the service saw %q, %v", a.Body, a.Err)
		}
		if a := call(Load{URL: "http://svc:80/slow", Timeout: 3 * time.Second}, 0); a.Took != 3*time.Second || a.Err == nil || a.Err.Error() != "no answer within 3s" {
			t.Errorf("a slow call ended after %v with %v", a.Took, a.Err)
		}
		if a := call(Load{URL: "http://svc:80/moved"}, 0); a.Status != 302 {
			t.Errorf("a redirect came back as %d, want it unfollowed", a.Status)
		}
		if a := call(Load{URL: "http://svc:80/cut"}, 0); a.Status != 200 || !errors.Is(a.Err, io.ErrUnexpectedEOF) {
			t.Errorf("a cut answer came back as %d, %v", a.Status, a.Err)
		}
		server.Close()
		<-ended
		time.Sleep(time.Second) // the server's last connections linger
	})
}

func TestText_errors(t *testing.T) {
	t.Parallel()
	names := Names{Services: map[string]Endpoint{"catalog": endpoint("h:1")}}
	rows := []struct{ in, want string }{
		{"{{.Services.catalog.Addr}}", ""},
		{"plain", ""},
		{"{{.Services.katalog.Addr}}", `map has no entry for key "katalog"`},
		{"{{.Services.catalog.Adr}}", "can't evaluate field Adr"},
		{"{{.Service.catalog}}", "can't evaluate field Service"},
		{"{{.Services.catalog.Addr", "unclosed action"},
		{`{{(index .Services "catalog").Addr}}`, ""},
		{"{{range 3}}x{{end}}", "is no reference"},
		{"{{.Services.catalog.Addr | printf \"%s\"}}", "is no reference"},
		{"{{$x := 1}}", "is no reference"},
		{"{{nope}}", `function "nope" not defined`},
	}
	for _, row := range rows {
		_, err := expand(row.in, names)
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("expand(%q) = %v, want %q", row.in, err, row.want)
		}
		if err != nil && strings.Contains(err.Error(), "template:") {
			t.Errorf("expand(%q) = %v: says where in a file that is none", row.in, err)
		}
	}
}

// The load's own cost of a call, without the call.
func BenchmarkCaller_request(b *testing.B) {
	names := Names{Services: map[string]Endpoint{"loan": endpoint("127.0.0.1:9000")}}
	c, err := newCaller(Load{URL: "{{.Services.loan.URL}}/lend?no=K-903&index={{.Index}}"}, 7, names, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := c.request(b.Context(), 17); err != nil {
			b.Fatal(err)
		}
	}
}
