package brunttest_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/fault"
	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fault/jsonscenario"
	"github.com/brunt-go/brunt/fit"
	"github.com/brunt-go/brunt/health"
	"github.com/brunt-go/brunt/health/httphealth"
	"github.com/brunt-go/brunt/httpclient"
	"github.com/brunt-go/brunt/httpclient/transport"
	"github.com/brunt-go/brunt/job"
)

const ours = "github.com/brunt-go/brunt"

// The page has what Apps emit, name by name and attribute by attribute, and nothing else.
func TestReference_emitted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tel := brunttest.NewTelemetry()
		emitEverything(t, tel)
		emitted := map[string][]string{} // "what name" to attributes
		add := func(what, name string, attributes []attribute.KeyValue) {
			key := what + " " + name
			emitted[key] = append(emitted[key], "")
			for _, kv := range attributes {
				emitted[key] = append(emitted[key], string(kv.Key))
			}
		}
		for _, s := range tel.Spans() {
			if strings.HasPrefix(s.InstrumentationScope().Name, ours) {
				add("span", s.Name(), s.Attributes())
			}
			for _, e := range s.Events() {
				if strings.HasPrefix(e.Name, "brunt.") {
					add("event", e.Name, e.Attributes)
				}
			}
		}
		for _, l := range tel.Logs() {
			name := l.Message
			if l.Attribute("where") != "" {
				name = "<where>: <error>"
			}
			add("log", name, l.Attributes)
		}
		for _, name := range tel.Instruments() {
			if !strings.HasPrefix(name, "brunt.") {
				continue
			}
			for _, p := range tel.Points(name) {
				add("metric", name, p.Attributes.ToSlice())
			}
		}
		for key, attributes := range emitted {
			slices.Sort(attributes)
			emitted[key] = slices.Compact(attributes)[1:]
		}
		listed := listedNames(t)
		for _, key := range slices.Sorted(maps.Keys(listed)) {
			if got, want := emitted[key], listed[key]; !slices.Equal(got, want) {
				t.Errorf("%s: emitted with %q, the page lists %q", key, got, want)
			}
			delete(emitted, key)
		}
		for _, key := range slices.Sorted(maps.Keys(emitted)) {
			t.Errorf("%s, with %q, is not on the page", key, emitted[key])
		}
	})
}

// listedNames reads the table of docs/reference/telemetry.md.
func listedNames(t *testing.T) map[string][]string {
	t.Helper()
	page, err := os.ReadFile("../docs/reference/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	listed := map[string][]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| (event|span|log|metric) \\| [^|]+ \\| `([^`]+)` \\| ([^|]+) \\|$").FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(m[0], "`"+ours+"/httpserver`") { // whose own test looks at those
			continue
		}
		attributes := []string{}
		for _, a := range quoted.FindAllStringSubmatch(m[3], -1) {
			if a[1] != "failure injection" && a[1] != "init" { // what one of them may be
				attributes = append(attributes, a[1])
			}
		}
		slices.Sort(attributes)
		listed[m[1]+" "+m[2]] = attributes
	}
	if len(listed) == 0 {
		t.Fatal("the page has no table")
	}
	return listed
}

// emitEverything runs Apps that together emit all there is.
func emitEverything(t *testing.T, tel *brunttest.Telemetry) {
	t.Helper()
	h := brunttest.NewHost(t)
	app := brunttest.WithApp(brunt.WithHost(h.Host()), brunt.WithTelemetry(tel.Builder()),
		brunt.WithFaults(func(context.Context, *brunt.Setup) (fault.Settings, error) {
			codec, err := jsonscenario.New("acme.fault")
			settings := fault.DefaultSettings()
			settings.Decoder = codec
			return settings, err
		}))
	evaluate := func(ctx context.Context, s *brunt.Setup) error {
		for _, point := range []string{"a:lost", "a:reply", "a:spared"} {
			s.Faults.Eval(ctx, point)
		}
		wrong, _ := baggage.Parse("acme.fault=wrong")
		s.Faults.Eval(baggage.ContextWithBaggage(ctx, wrong), "a:rejected")
		s.Faults.Strip(ctx)
		return errors.Join(lose(ctx, s), errors.New("the job is not done"))
	}
	_, status := brunttest.Start(t, func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		return []brunt.Service{job.NewService(s, func(ctx context.Context) error { return evaluate(ctx, s) })}, nil
	}, app, brunttest.WithEnv(map[string]string{"BAGGAGE": scenarioBaggage(t)}))
	<-status

	ill := health.MonitorFunc(func(context.Context) (bool, error) { return false, errors.New("no answer") })
	mad := health.MonitorFunc(func(context.Context) (bool, error) { panic("out of order") })
	probes, _ := brunttest.Start(t, func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		settings := httphealth.DefaultSettings()
		settings.Addr = ":8081"
		svc, err := httphealth.NewService(s, settings, health.Liveness(ill), health.Readiness(mad))
		return []brunt.Service{svc}, err
	}, app)
	<-h.Listening("probes:8081")
	for _, probe := range []string{"liveness", "readiness"} {
		resp, err := h.HTTPClient().Get("http://probes:8081/health/" + probe)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	probes.Stop()

	_, status = brunttest.Start(t, func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		return []brunt.Service{job.NewService(s, func(ctx context.Context) error { return callPayments(ctx, h, s) })}, nil
	}, app)
	<-status

	_, status = brunttest.Start(t, func(context.Context, *brunt.Setup) ([]brunt.Service, error) { panic("a bug") }, app)
	<-status
}

// callPayments has payments be down until the breaker opens, and then well again; and has
// a Classify that panics in the end.
func callPayments(ctx context.Context, h *brunttest.Host, s *brunt.Setup) error {
	settings := httpclient.DefaultSettings()
	settings.BaseURL = "http://payments"
	mad := false
	settings.Classify = func(resp *http.Response, err error) httpclient.Classification {
		if mad {
			panic("out of order")
		}
		return transport.DefaultClassify(resp, err)
	}
	client, err := httpclient.NewClient(s, settings)
	if err != nil {
		return err
	}
	call := func() {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		if err != nil {
			return
		}
		if resp, err := client.Do(req); err == nil {
			resp.Body.Close()
		}
	}
	for range 3 {
		call()
	}
	h.Serve("payments:80", http.NotFoundHandler(), nil)
	time.Sleep(settings.BreakerPolicy.OpenFor)
	call()
	mad = true
	call()
	return nil
}

// lose sends a scenario on with so much other baggage that it will not arrive.
func lose(ctx context.Context, s *brunt.Setup) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://nobody:80/", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Baggage", "much="+strings.Repeat("x", fit.MaxBytes)+","+baggage.FromContext(ctx).String())
	connections := &http.Transport{DialContext: s.Host.Dial}
	_, err = faulthttp.NewTransport(connections, s.Faults, faulthttp.ForwardScenario()).RoundTrip(req)
	return err
}

// scenarioBaggage is a scenario with each kind of fault, as a header has it.
func scenarioBaggage(t *testing.T) string {
	t.Helper()
	codec, err := jsonscenario.New("acme.fault")
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := fit.ContextWithScenario(t.Context(), codec, fit.Scenario{Rules: []fit.Rule{
		{Point: "a:lost", Fault: fit.Fault{Lost: true}},
		{Point: "a:reply", Fault: fit.Fault{Reply: fit.Reply{Status: 503, GRPCCode: 14}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return baggage.FromContext(ctx).String()
}
