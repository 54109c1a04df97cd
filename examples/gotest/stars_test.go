package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

func TestStars_reviewsNeverAnswer(t *testing.T) {
	t.Parallel()
	reviews := httptest.NewServer(http.HandlerFunc(Reviews))
	defer reviews.Close()

	proxy, err := httpproxy.New(httpproxy.Settings{Name: "reviews", Upstream: reviews.URL, DialTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(proxy) // the client takes it for the reviews
	defer front.Close()
	silent := httpproxy.Rule{Name: "silent", Share: 1, Faults: []httpproxy.Fault{&httpproxy.Hang{}}}
	if _, err := proxy.Arm(httpproxy.Arming{Rules: httpproxy.Rules{List: []httpproxy.Rule{silent}}}); err != nil {
		t.Fatal(err)
	}

	client := &http.Client{Timeout: 200 * time.Millisecond}
	if _, err := Stars(t.Context(), client, front.URL, "7"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Stars: %v, want it to give up after 200ms", err)
	}
}
