package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/memnet"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// The reviews answer after half a minute, and then half of it. That takes no time,
// and comes out to the nanosecond.
func TestStars_lateAndHalf(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		network := memnet.New()
		reviews := &http.Server{Handler: http.HandlerFunc(Reviews)}
		defer reviews.Close()
		serve(t, network, "reviews:80", reviews.Serve)

		s := httpproxy.DefaultSettings()
		s.Name, s.Upstream = "reviews", "reviews:80"
		proxy, err := httpproxy.New(s, httpproxy.WithDialer(network.DialContext))
		if err != nil {
			t.Fatal(err)
		}
		defer proxy.Close()
		serve(t, network, "front:80", proxy.Serve)

		seen := ledger.New(time.Now())
		armed, err := proxy.Arm(httpproxy.Arming{
			Rules: httpproxy.Rules{List: []httpproxy.Rule{{
				Name: "late and half", Share: 1,
				Match:  httpproxy.Match{Methods: []string{http.MethodGet}, Path: "/stars"},
				Faults: []httpproxy.Fault{&httpproxy.Delay{Header: 30 * time.Second}, &httpproxy.Truncate{AfterBytes: 5}},
			}}},
			Recorder: seen,
		})
		if err != nil {
			t.Fatal(err)
		}

		client := &http.Client{Transport: &http.Transport{DialContext: network.DialContext}}
		if _, err := Stars(t.Context(), client, "http://front", "7"); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("Stars: %v, want half an answer to be an error", err)
		}

		if err := armed.Wait(t.Context()); err != nil { // the exchange has ended here too
			t.Fatal(err)
		}
		for _, x := range ledger.All[ledger.Exchange](seen.Entries()) {
			if x.End != ledger.EndBroken || x.FirstByte != 30*time.Second || x.Bytes != 5 {
				t.Errorf("on the wire: %+v, want it cut after 30s and 5 bytes", x)
			}
		}
	})
}

func serve(t *testing.T, network *memnet.Network, addr string, serve func(l net.Listener) error) {
	t.Helper()
	l, err := network.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	go serve(l)
}
