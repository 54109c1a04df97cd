package transport_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/brunt-go/brunt/httpclient/transport"
)

// The body of an upgraded connection stays one that can be written to, and without a
// timeout nothing is changed.
func TestAttemptTimeout(t *testing.T) {
	t.Parallel()
	duplex := struct {
		io.ReadCloser
		io.Writer
	}{io.NopCloser(strings.NewReader("x")), io.Discard}
	base := roundTripper(func(req *http.Request) (*http.Response, error) {
		_, limited := req.Context().Deadline()
		return &http.Response{StatusCode: http.StatusSwitchingProtocols, Body: duplex, ProtoMajor: map[bool]int{true: 1}[limited]}, nil
	})
	req := httptest.NewRequest(http.MethodGet, "http://payments/", nil)
	for timeout, limited := range map[time.Duration]bool{time.Minute: true, 0: false} {
		resp, err := transport.NewAttemptTimeout(base, timeout).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := resp.Body.(io.Writer); !ok || (resp.ProtoMajor == 1) != limited {
			t.Errorf("with %v: a deadline: %v, a body that can be written to: %v", timeout, resp.ProtoMajor == 1, ok)
		}
		resp.Body.Close()
	}
}

// An attempt is over when its answer has been read, closed or not.
func TestAttemptTimeout_end(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*http.Response){
		"read":   func(resp *http.Response) { io.Copy(io.Discard, resp.Body) },
		"closed": func(resp *http.Response) { resp.Body.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := &stub{says: []int{200}}
			resp, err := transport.NewAttemptTimeout(base, time.Minute).RoundTrip(httptest.NewRequest(http.MethodGet, "http://payments/", nil))
			if err != nil {
				t.Fatal(err)
			}
			ctx := base.requests[0].Context()
			if ctx.Err() != nil {
				t.Error("the attempt is over before its answer is read")
			}
			if end(resp); ctx.Err() == nil {
				t.Error("the attempt is not over")
			}
		})
	}
}

// The context ends an attempt, not the Cancel an http.Client's Timeout sets beside it.
func TestAttemptTimeout_cancel(t *testing.T) {
	t.Parallel()
	base := &stub{says: []int{200}}
	req := httptest.NewRequest(http.MethodGet, "http://payments/", nil)
	req.Cancel = make(chan struct{}) //nolint:staticcheck // the deprecated field is what is tested
	resp, err := transport.NewAttemptTimeout(base, time.Minute).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if base.requests[0].Cancel != nil || req.Cancel == nil { //nolint:staticcheck // as above
		t.Error("Cancel is passed on, or taken from the caller")
	}
}

// An attempt is over, too, when the RoundTripper inside panicked.
func TestAttemptTimeout_panic(t *testing.T) {
	t.Parallel()
	var ctx context.Context
	base := roundTripper(func(req *http.Request) (*http.Response, error) {
		ctx = req.Context()
		panic("no")
	})
	func() {
		defer func() { _ = recover() }() // it is base's to explain
		resp, err := transport.NewAttemptTimeout(base, time.Hour).RoundTrip(httptest.NewRequest(http.MethodGet, "http://payments/", nil))
		t.Errorf("%v, %v and no panic", resp, err)
	}()
	if ctx.Err() == nil {
		t.Error("the attempt is not over")
	}
}

// A RoundTripper that breaks its contract is said to, and breaks nothing else.
func TestLayers_badRoundTripper(t *testing.T) {
	t.Parallel()
	nothing := roundTripper(func(*http.Request) (*http.Response, error) { return nil, nil }) //nolint:nilnil // that is what is bad
	bodiless := roundTripper(func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 503}, nil })
	for _, around := range []func(http.RoundTripper) http.RoundTripper{
		func(rt http.RoundTripper) http.RoundTripper { return transport.NewRetry(rt, newPolicy(t), nil) },
		func(rt http.RoundTripper) http.RoundTripper { return transport.NewBreaker(rt, newBreaker(t), nil) },
		func(rt http.RoundTripper) http.RoundTripper { return transport.NewAttemptTimeout(rt, time.Minute) },
	} {
		req := httptest.NewRequest(http.MethodGet, "http://payments/", nil)
		const want = "RoundTripper (transport_test.roundTripper) returned neither a response nor an error"
		if _, err := around(nothing).RoundTrip(req); fmt.Sprint(err) != want {
			t.Errorf("err = %v, want %s", err, want)
		}
		if resp, err := around(bodiless).RoundTrip(req); err != nil || resp.Body.Close() != nil {
			t.Errorf("%v, %v", resp, err)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
