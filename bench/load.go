package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/brunt-go/brunt/bench/internal/figure"
	"github.com/brunt-go/brunt/bench/internal/role"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// roleLoad measures what a request costs the load. The rounds follow.
const roleLoad = "load"

// loadRequests is how many requests a measurement has.
const loadRequests = 4000

// loadCost is what a request costs, server and all.
type loadCost struct {
	// Wall and CPU are in nanoseconds, Allocs are objects.
	Wall, CPU, Allocs float64
}

// loadCosts are the measurements of two loops that send the same requests to the
// same handler over the same network in memory: what differs is the load's own.
type loadCosts struct{ Bare, Experiment []loadCost }

func measureLoad(ctx context.Context, s Settings, stderr io.Writer) (loadCosts, error) {
	fmt.Fprintln(stderr, "load")
	var out loadCosts
	err := role.Ask(ctx, stderr, &out, roleLoad, strconv.Itoa(s.Rounds))
	return out, err
}

func playLoad(rounds int) error {
	var out loadCosts
	for range rounds {
		one, err := bareLoop()
		if err != nil {
			return err
		}
		out.Bare = append(out.Bare, one)
		if one, err = experimentLoop(); err != nil {
			return err
		}
		out.Experiment = append(out.Experiment, one)
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// trivial answers at once.
var trivial = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "ok") // a caller that went away gets nothing
})

// meter measures from the first request's end to the last one's.
type meter struct {
	begin     role.Usage
	beginTime time.Time
	cost      loadCost
	err       error
}

// ended notes that a request has ended, the given one of loadRequests.
func (m *meter) ended(request int) {
	switch request {
	case 1:
		m.begin, m.err = role.UsageNow()
		m.beginTime = time.Now()
	case loadRequests:
		wall := time.Since(m.beginTime)
		end, err := role.UsageNow()
		m.err = errors.Join(m.err, err)
		const n = loadRequests - 1
		m.cost = loadCost{
			Wall: float64(wall) / n, CPU: float64(end.CPU-m.begin.CPU) / n,
			Allocs: float64(end.Mallocs-m.begin.Mallocs) / n,
		}
	}
}

// bareLoop sends the requests as someone would by hand: a client, a loop.
func bareLoop() (loadCost, error) {
	network := memnet.New()
	l, err := network.Listen("tcp", "service:80")
	if err != nil {
		return loadCost{}, err
	}
	server := &http.Server{Handler: trivial, ReadHeaderTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	client := &http.Client{Transport: &http.Transport{DialContext: network.DialContext, DisableCompression: true}}
	var m meter
	for i := range loadRequests {
		if err := bareCall(client, i); err != nil {
			return loadCost{}, err
		}
		m.ended(i + 1)
	}
	client.CloseIdleConnections()
	server.Close()
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return loadCost{}, err
	}
	return m.cost, m.err
}

func bareCall(client *http.Client, index int) error {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://service:80/?index="+strconv.Itoa(index), nil)
	if err != nil {
		return err
	}
	r.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	resp, err := client.Do(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return err
}

// experimentLoop sends the same requests in the first arm of an experiment. Its
// proxy and its fault are there because an experiment has some; the requests go
// past them.
func experimentLoop() (loadCost, error) {
	ctx, enough := context.WithCancel(context.Background())
	defer enough()
	var m meter
	_, err := experiment.Run(ctx, experiment.Experiment{
		Name: "load",
		Services: []experiment.Service{{
			Name: "service", Listen: "service:80",
			Handler: func(experiment.Names) http.Handler { return trivial },
		}},
		Proxies: []experiment.Proxy{{Name: "proxy", Upstream: "{{.Services.service.Addr}}"}},
		Load:    experiment.Load{Requests: loadRequests, Concurrency: 1, URL: "{{.Services.service.URL}}/?index={{.Index}}"},
		Outcomes: []experiment.Outcome{{Name: oracle.Full, Holds: func(a experiment.Answer) (bool, error) {
			return a.Status == http.StatusOK, nil
		}}},
		Faults: []experiment.Fault{{Name: "reset", At: "proxy", Rule: httpproxy.Rule{
			Share: 1, Faults: []httpproxy.Fault{&httpproxy.Reset{}},
		}}},
		Judge: experiment.Judge{Require: []oracle.Oracle{oracle.FallbackEngaged{}}},
	}, experiment.WithNetwork(memnet.New()), experiment.WithProgress(func(p experiment.Progress) {
		if p.Finished {
			enough() // one arm tells
			return
		}
		m.ended(p.Done)
	}))
	if err == nil && m.cost == (loadCost{}) {
		err = errors.New("the experiment's first arm did not end")
	}
	return m.cost, errors.Join(err, m.err)
}

func (c loadCosts) print(w io.Writer) {
	wall := func(c loadCost) float64 { return c.Wall }
	cpu := func(c loadCost) float64 { return c.CPU }
	allocs := func(c loadCost) float64 { return c.Allocs }
	t := figure.Table{Head: []string{"a request of a closed loop, in memory", "wall ns", "CPU ns", "allocs"}}
	for _, loop := range []struct {
		name string
		of   []loadCost
	}{{"bare net/http client and server", c.Bare}, {"experiment.Run and the same server", c.Experiment}} {
		t.Add(loop.name, figure.Of(figure.Column(loop.of, wall)).Format(figure.Count), figure.Of(figure.Column(loop.of, cpu)).Format(figure.Count), figure.Tenths(figure.Of(figure.Column(loop.of, allocs)).Median))
	}
	own := func(of func(loadCost) float64) figure.Span {
		return figure.Of(figure.Differences(figure.Column(c.Experiment, of), figure.Column(c.Bare, of)))
	}
	t.Add("the load's own", own(wall).Format(figure.Count), own(cpu).Format(figure.Count), figure.Tenths(own(allocs).Median))
	t.Print(w)
	fmt.Fprintln(w)
}
