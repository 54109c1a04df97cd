package experiment

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/brunt-go/brunt/internal/seeded"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// Load is what is sent in each arm: a closed loop of Requests with Concurrency
// at once, or an open loop at Rate for Duration.
type Load struct {
	// Requests is how many calls a closed loop makes.
	Requests int
	// Concurrency is how many of them are under way at once. Default: 1.
	Concurrency int
	// Rate is how many calls an open loop starts a second, whether or not
	// earlier ones have ended. Latency counts from when a call was due.
	Rate float64
	// Duration is how long an open loop starts calls.
	Duration time.Duration
	// MaxInFlight bounds the calls of an open loop that are under way; a call
	// over it counts as dropped, and says so. Default: 1000.
	MaxInFlight int
	// Timeout ends a call that takes longer; its answer is lost. Default: 10s.
	Timeout time.Duration
	// Method is the request's. Default: GET.
	Method string
	// URL, the values of Header and Body may refer to addresses, and to
	// {{.Index}} and {{.Trace}} of the call. URL is required.
	URL    string
	Header map[string]string
	Body   string
}

// Defaults of Load.
const (
	DefaultTimeout     = 10 * time.Second
	DefaultMaxInFlight = 1000
	// maxAnswer is how much of an answer's body is read and judged, in bytes.
	maxAnswer = 1 << 20
)

// Answer is what a call came back with.
type Answer struct {
	// Status is the HTTP status, or 0 when no answer came.
	Status int
	// Header and Body are the answer's. Of a body over 1 MiB the rest is
	// left out.
	Header http.Header
	Body   []byte
	// Took is the time from when the call was due to its end.
	Took time.Duration
	// Err is why no whole answer came, or nil.
	Err error
}

// JSON is the body as JSON: maps, slices, strings, float64s, bools; nil when it
// is none.
func (a Answer) JSON() any {
	var v any
	if json.Unmarshal(a.Body, &v) != nil {
		return nil
	}
	return v
}

// total is how many calls the load makes.
func (l Load) total() int {
	if l.Rate > 0 {
		return int(l.Rate * l.Duration.Seconds())
	}
	return l.Requests
}

// caller makes the calls of an arm.
type caller struct {
	load   Load
	client *http.Client
	url    text
	body   text
	header map[string]text
	names  Names
	seed   uint32
}

// callNames is what the texts of a call may refer to.
type callNames struct {
	Names
	Index int
	Trace string
}

func newCaller(l Load, seed uint64, names Names, client *http.Client) (*caller, error) {
	c := &caller{load: l, client: client, names: names, seed: seeded.Seed(seed), header: map[string]text{}}
	var errs []error
	parse := func(field, s string) text {
		t, err := parseText(s)
		if err != nil {
			errs = append(errs, fmt.Errorf("load.http.%s: %w", field, err))
		}
		return t
	}
	c.url, c.body = parse("url", l.URL), parse("body", l.Body)
	for name, value := range l.Header {
		c.header[name] = parse("headers."+name, value)
	}
	return c, errors.Join(errs...)
}

// trace is the trace id of call index: a replay with the same seed has the same.
func (c *caller) trace(index int) string {
	id := seeded.Trace(c.seed, uint32(index))
	return hex.EncodeToString(id[:])
}

// request builds call index.
func (c *caller) request(ctx context.Context, index int) (*http.Request, string, error) {
	trace := c.trace(index)
	data := callNames{c.names, index, trace}
	url, err := c.url.expand(data)
	if err != nil {
		return nil, trace, fmt.Errorf("load.http.url: %w", err)
	}
	body, err := c.body.expand(data)
	if err != nil {
		return nil, trace, fmt.Errorf("load.http.body: %w", err)
	}
	method := c.load.Method
	if method == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return nil, trace, fmt.Errorf("load.http: %w", err)
	}
	r.Header.Set("Traceparent", "00-"+trace+"-"+trace[:16]+"-01")
	for name, value := range c.header {
		v, err := value.expand(data)
		if err != nil {
			return nil, trace, fmt.Errorf("load.http.headers.%s: %w", name, err)
		}
		r.Header.Set(name, v)
		if http.CanonicalHeaderKey(name) == "Host" {
			r.Host = v
		}
	}
	return r, trace, nil
}

// call makes one call and waits for its end.
func (c *caller) call(r *http.Request, due time.Time) Answer {
	timeout := c.load.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(r.Context(), timeout, fmt.Errorf("no answer within %v", timeout))
	defer cancel()
	a := Answer{}
	resp, err := c.client.Do(r.WithContext(ctx))
	if err == nil {
		a.Status, a.Header = resp.StatusCode, resp.Header
		var body bytes.Buffer
		_, err = io.Copy(&body, io.LimitReader(resp.Body, maxAnswer))
		a.Body = body.Bytes()
		resp.Body.Close()
	}
	a.Took = time.Since(due)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	a.Err = err
	return a
}

// errOverload is the answer of an open loop's call that found no room.
var errOverload = errors.New("not sent: too many calls were under way (load.max_in_flight)")

// each runs do for every call of the load, closed or open loop, until ctx ends;
// over gets those an open loop has no room for. It returns when all have ended.
func (l Load) each(ctx context.Context, do, over func(ctx context.Context, index int, due time.Time)) {
	if l.Rate > 0 {
		l.open(ctx, do, over)
		return
	}
	l.closed(ctx, do)
}

// closed keeps Concurrency calls under way.
func (l Load) closed(ctx context.Context, do func(context.Context, int, time.Time)) {
	var (
		wg   sync.WaitGroup
		next = make(chan int)
	)
	for range max(1, l.Concurrency) {
		wg.Go(func() {
			for index := range next {
				do(ctx, index, time.Now())
			}
		})
	}
	for index := range l.Requests {
		select {
		case next <- index:
		case <-ctx.Done():
			close(next)
			wg.Wait()
			return
		}
	}
	close(next)
	wg.Wait()
}

// open starts each call when it is due, however long the others take.
func (l Load) open(ctx context.Context, do, over func(context.Context, int, time.Time)) {
	var wg sync.WaitGroup
	defer wg.Wait()
	start, slots := time.Now(), make(chan struct{}, l.inFlight())
	for index := range l.total() {
		due := start.Add(time.Duration(math.Round(float64(index) / l.Rate * float64(time.Second))))
		if sleep(ctx, time.Until(due)) != nil {
			return
		}
		select {
		case slots <- struct{}{}:
			wg.Go(func() {
				defer func() { <-slots }()
				do(ctx, index, due)
			})
		default:
			over(ctx, index, due)
		}
	}
}

// newClient returns the load's own client: it follows no redirect and asks no
// proxy but those of the experiment.
func newClient(l Load, dial httpproxy.DialFunc) *http.Client {
	atOnce := max(1, l.Concurrency)
	if l.Rate > 0 {
		atOnce = l.inFlight()
	}
	return &http.Client{
		Transport: &http.Transport{
			DialContext:         dial,
			MaxIdleConnsPerHost: atOnce,
			DisableCompression:  true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (l Load) inFlight() int {
	if l.MaxInFlight == 0 {
		return DefaultMaxInFlight
	}
	return l.MaxInFlight
}
