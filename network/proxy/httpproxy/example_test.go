package httpproxy_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/brunt-go/brunt/judge/ledger"
	"github.com/brunt-go/brunt/network/proxy/httpproxy"
)

// A proxy in front of a service answers every second attempt of an order with
// 503, and its ledger says so.
func Example() {
	payments := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "paid")
	}))
	defer payments.Close()

	s := httpproxy.DefaultSettings()
	s.Name, s.Upstream = "payments", payments.URL
	proxy, err := httpproxy.New(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go proxy.Serve(listener)
	defer proxy.Close()

	key, err := httpproxy.ParseKey("query.order")
	if err != nil {
		fmt.Println(err)
		return
	}
	seen := ledger.New(time.Now())
	armed, err := proxy.Arm(httpproxy.Arming{
		Rules: httpproxy.Rules{Key: key, List: []httpproxy.Rule{{
			Name: "unavailable", Share: 1, Attempts: []int{1},
			Faults: []httpproxy.Fault{&httpproxy.Reply{Status: 503}},
		}}},
		Recorder: seen,
		Lease:    time.Minute,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer armed.Disarm()

	for range 2 {
		resp, err := http.Get("http://" + listener.Addr().String() + "/pay?order=7")
		if err != nil {
			fmt.Println(err)
			return
		}
		resp.Body.Close()
		fmt.Println(resp.Status)
	}
	for entry, d := range ledger.All[ledger.Decision](seen.Entries()) {
		fmt.Printf("order %s, attempt %d: injected %v\n", entry.Key, entry.Attempt, d.Injected)
	}
	// Output:
	// 503 Service Unavailable
	// 200 OK
	// order 7, attempt 1: injected true
	// order 7, attempt 2: injected false
}

// A fault as it stands in a file.
func ExampleParseFault() {
	fault, err := httpproxy.ParseFault("delay", []byte(`"240ms"`))
	fmt.Printf("%+v %v\n", fault, err)
	_, err = httpproxy.ParseFault("reply", []byte(`{"status":42}`))
	fmt.Println(err)
	// Output:
	// &{Header:240ms Body:0s AfterBytes:0} <nil>
	// status 42, want one from 200 to 599
}
