package transport_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/brunt-go/brunt/circuit"
	"github.com/brunt-go/brunt/httpclient/transport"
	"github.com/brunt-go/brunt/retry"
)

// A plain http.Client gets a deadline for each attempt, a breaker and retries within a
// budget, a line each.
func Example() {
	n := 0
	payments := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n++; n == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer payments.Close()
	policy, err := retry.New(retry.DefaultSettings())
	if err != nil {
		fmt.Println(err)
		return
	}
	breaker, err := circuit.New("payments", circuit.DefaultPolicy())
	if err != nil {
		fmt.Println(err)
		return
	}

	client := &http.Client{Transport: payments.Client().Transport, Timeout: 15 * time.Second}
	client.Transport = transport.NewAttemptTimeout(client.Transport, 5*time.Second)
	client.Transport = transport.NewBreaker(client.Transport, breaker, nil)
	client.Transport = transport.NewRetry(client.Transport, policy, nil)

	resp, err := client.Get(payments.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	resp.Body.Close()
	fmt.Println(resp.Status, "after", n, "attempts, breaker", breaker.State())
	// Output: 200 OK after 2 attempts, breaker closed
}
