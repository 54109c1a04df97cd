package control_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// A server of proxies, driven over HTTP by a client whose proxies are gone when it
// is closed, or killed.
func Example() {
	server, err := control.NewServer(control.DefaultSettings())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	api := httptest.NewServer(server.Handler())
	defer api.Close()

	client, err := control.NewClient(api.URL, control.WithSession("checkout tests"), control.WithLease(30*time.Second))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	p, err := client.Create(ctx, control.ProxySpec{Name: "redis", Listen: "127.0.0.1:0", Upstream: "127.0.0.1:6379"})
	if err != nil {
		fmt.Println(err)
		return
	}
	slow, err := client.AddToxic(ctx, "redis", control.ToxicSpec{Type: "latency", Attributes: []byte(`{"latency":250}`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Name, p.Upstream, p.Session)
	fmt.Println(slow.Name, string(slow.Attributes))
	_, err = client.AddToxic(ctx, "redis", control.ToxicSpec{Type: "bandwidth", Attributes: []byte(`{"rate":-1}`)})
	fmt.Println(err)
	fmt.Println(client.Close(), len(server.All()))
	// Output:
	// redis 127.0.0.1:6379 checkout tests
	// latency_downstream {"latency":250,"jitter":0}
	// bad request body: rate: -1, must be from 0 to 1000000000
	// <nil> 0
}

func ExampleParseConfig() {
	specs, warnings, err := control.ParseConfig([]byte(`[
	  {"name": "redis", "listen": "127.0.0.1:26379", "upstream": "127.0.0.1:6379", "owner": "checkout",
	   "toxics": [{"type": "latency", "attributes": {"latency": 250}}]}
	]`), false)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(specs[0].Name, len(specs[0].Toxics), warnings)
	// Output: redis 1 [json: unknown field "owner" at proxy 1]
}
