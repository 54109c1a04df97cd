package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/bench/internal/figure"
	"github.com/brunt-go/brunt/bench/internal/role"
	"github.com/brunt-go/brunt/internal/sample"
	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/oracle"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// The roles that calibrate the published loan experiment: roleFake in fake time,
// the rounds follow, roleLoopback once over real sockets.
const (
	roleFake     = "fake"
	roleLoopback = "loopback"
)

// calibrated is how long calibrations took, in nanoseconds, and what the last
// one showed.
type calibrated struct {
	Took []float64
	// Rows is how many of the published rows came out, Again how many arms
	// were run again because the machine stalled, Rule what is recommended.
	Rows  int
	Again int
	Rule  string
}

// show notes what a calibration showed.
func (c *calibrated) show(shown *experiment.Calibration) {
	c.Rows, c.Rule, c.Again = published(shown), recommended(shown), 0
	for _, v := range shown.Variants {
		for _, a := range v.Arms {
			c.Again += a.Tries - 1
		}
	}
}

// loopbackLimit bounds the calibration in real time, which takes some 10 s on a
// quiet machine; on a busy one arms are run again.
const loopbackLimit = 30 * time.Second

// matrices are the same calibration twice.
type matrices struct{ Fake, Loopback calibrated }

func measureMatrix(ctx context.Context, s Settings, stderr io.Writer) (matrices, error) {
	var out matrices
	fmt.Fprintln(stderr, "matrix, in fake time")
	if err := role.Ask(ctx, stderr, &out.Fake, roleFake, strconv.Itoa(s.Rounds)); err != nil {
		return out, err
	}
	fmt.Fprintln(stderr, "matrix, over loopback")
	err := role.Ask(ctx, stderr, &out.Loopback, roleLoopback)
	return out, err
}

// playFake calibrates in fake time, which only tests have: the role is a test
// program with one test.
func playFake(rounds int) error {
	os.Args = os.Args[:1] // the rest is no flag of a test program's
	testing.Main(
		func(string, string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestMatrix", F: func(t *testing.T) { fakeRounds(t, rounds) }}},
		nil, nil,
	)
	return nil // not reached: testing.Main exits
}

func fakeRounds(t *testing.T, rounds int) {
	var out calibrated
	for range rounds {
		var (
			c   *experiment.Calibration
			err error
		)
		begin := time.Now()
		synctest.Test(t, func(t *testing.T) {
			c, err = calibrate(t.Context(), memnet.New())
		})
		out.Took = append(out.Took, float64(time.Since(begin)))
		if err != nil {
			t.Fatal(err)
		}
		out.show(c)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		t.Fatal(err)
	}
}

func playLoopback() error {
	ctx, cancel := context.WithTimeout(context.Background(), loopbackLimit)
	defer cancel()
	begin := time.Now()
	c, err := calibrate(ctx, new(machine))
	if err != nil {
		return err
	}
	out := calibrated{Took: []float64{float64(time.Since(begin))}}
	out.show(c)
	if ctx.Err() != nil {
		out.Rule = fmt.Sprintf("cut off after %v", loopbackLimit)
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func recommended(c *experiment.Calibration) string {
	if c.Recommended == nil {
		return "none"
	}
	return fmt.Sprintf("%s at %.0f %%", c.Recommended.Rule, 100*c.Recommended.Threshold)
}

// row is a line of the published table.
type row struct {
	variant, fault                              string
	injected, full, degraded, dropped, timeouts int
}

func matrix() []row {
	return []row{
		{"healthy", "none", 0, 190, 10, 0, 10},
		{"healthy", "delay", 45, 148, 52, 0, 52},
		{"healthy", "error", 45, 148, 52, 0, 10},
		{"healthy", "loss", 45, 148, 52, 0, 52},
		{"loose", "none", 0, 200, 0, 0, 0},
		{"loose", "delay", 45, 200, 0, 0, 0},
		{"loose", "error", 45, 155, 45, 0, 0},
		{"loose", "loss", 45, 155, 45, 0, 45},
		{"noFallback", "none", 0, 190, 0, 10, 10},
		{"noFallback", "delay", 45, 148, 0, 52, 52},
		{"noFallback", "error", 45, 148, 0, 52, 10},
		{"noFallback", "loss", 45, 148, 0, 52, 52},
	}
}

// published counts the rows of c that are as they were published.
func published(c *experiment.Calibration) (n int) {
	want := map[row]bool{}
	for _, r := range matrix() {
		want[r] = true
	}
	for _, v := range c.Variants {
		for _, a := range v.Arms {
			f := a.Figures
			if a.Phase != experiment.PhaseRepeat && want[row{v.Name, a.Name, f.Injected, f.Full, f.Degraded, f.Dropped, f.Timeouts}] {
				n++
			}
		}
	}
	return n
}

// loan is the published experiment: a loan desk asks a catalog, of whose answers
// a fifth breaks in three ways.
func loan(dial httpproxy.DialFunc) (experiment.Experiment, error) {
	key, err := httpproxy.ParseKey("query.index")
	if err != nil {
		return experiment.Experiment{}, err
	}
	transport := &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 8}
	desk := func(timeout time.Duration, fallback bool) func(experiment.Names) http.Handler {
		return func(names experiment.Names) http.Handler {
			s := sample.DefaultLoanSettings()
			s.Catalog, s.Timeout, s.Fallback = names.Proxies["catalog"].URL, timeout, fallback
			s.Client = &http.Client{Transport: transport}
			return sample.Loan(s)
		}
	}
	fault := func(name string, f httpproxy.Fault) experiment.Fault {
		return experiment.Fault{Name: name, At: "catalog", Rule: httpproxy.Rule{Share: 0.20, Faults: []httpproxy.Fault{f}}}
	}
	variant := func(name string, healthy bool, timeout time.Duration, fallback bool) experiment.Variant {
		return experiment.Variant{Name: name, Healthy: healthy, Services: map[string]experiment.Override{
			"loan": {Handler: desk(timeout, fallback)},
		}}
	}
	const tight, loose = 100 * time.Millisecond, 400 * time.Millisecond
	noise := 0.05
	return experiment.Experiment{
		Name: "loan",
		Services: []experiment.Service{
			{Name: "catalog", Handler: func(experiment.Names) http.Handler {
				return sample.Catalog(sample.DefaultCatalogSettings())
			}},
			{Name: "loan", Handler: desk(tight, true)},
		},
		Proxies: []experiment.Proxy{{Name: "catalog", Upstream: "{{.Services.catalog.Addr}}"}},
		Load:    experiment.Load{Requests: 200, Concurrency: 8, URL: "{{.Services.loan.URL}}/lend?no=K-903&index={{.Index}}"},
		Outcomes: []experiment.Outcome{
			{Name: oracle.Full, Holds: func(a experiment.Answer) (bool, error) {
				body, _ := a.JSON().(map[string]any)
				return a.Status == http.StatusOK && body["status"] == "full", nil
			}},
			{Name: oracle.Degraded, Holds: func(a experiment.Answer) (bool, error) { return a.Status == http.StatusOK, nil }},
		},
		Seed: 20260731,
		Key:  key,
		Faults: []experiment.Fault{
			fault("delay", &httpproxy.Delay{Header: 240 * time.Millisecond}),
			fault("error", &httpproxy.Reply{Status: http.StatusServiceUnavailable}),
			fault("loss", &httpproxy.Hang{}),
		},
		Limits: experiment.Limits{MaxFaulted: 45},
		Judge: experiment.Judge{Noise: &noise, Require: []oracle.Oracle{
			oracle.FallbackEngaged{},
		}},
		Variants: []experiment.Variant{
			variant("healthy", true, tight, true),
			variant("loose", false, loose, true),
			variant("noFallback", false, tight, false),
		},
	}, nil
}

// calibrate calibrates the published experiment over a network.
func calibrate(ctx context.Context, n experiment.Network) (*experiment.Calibration, error) {
	e, err := loan(n.DialContext)
	if err != nil {
		return nil, err
	}
	return experiment.Calibrate(ctx, e, experiment.WithNetwork(n))
}

// machine is the machine's own network.
type machine struct{ net.Dialer }

func (*machine) Listen(network, address string) (net.Listener, error) {
	return new(net.ListenConfig).Listen(context.Background(), network, address)
}

func (m matrices) print(w io.Writer) {
	t := figure.Table{Head: []string{"a calibration of 3 systems, 15 arms of 200 calls", "wall ms", "of loopback", "rows as published", "arms run again", "recommended rule"}}
	loopback := figure.Of(m.Loopback.Took).Median
	share := figure.Column(m.Fake.Took, func(took float64) float64 { return took / loopback })
	add := func(name, took, share string, c calibrated) {
		t.Add(name, took, share, fmt.Sprintf("%d of %d", c.Rows, len(matrix())), strconv.Itoa(c.Again), c.Rule)
	}
	add("in fake time, over a network in memory", figure.Of(m.Fake.Took).Format(figure.Millis), figure.Of(share).Format(figure.Fine), m.Fake)
	add("in real time, over loopback", figure.Millis(loopback), "", m.Loopback)
	t.Print(w)
	fmt.Fprintln(w)
}
