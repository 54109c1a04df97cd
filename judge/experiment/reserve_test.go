package experiment_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/network/memnet"
)

// Whoever holds a service's port would answer in its place, and be judged for it.
func TestRun_addressTaken(t *testing.T) {
	t.Parallel()
	stranger := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(stranger.Close)
	addr := stranger.Listener.Addr().String()
	e := loan(memnet.New())
	e.Services = []experiment.Service{{Name: "catalog", Exec: []string{"sleep", "60"}, Listen: addr}}
	e.Variants, e.Load.URL = nil, "http://"+addr
	result, err := experiment.Run(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if want := "service catalog: somebody listens at " + addr + " already"; result.Verdict != experiment.Invalid || !strings.Contains(result.Why, want) {
		t.Errorf("%s: %s, want INVALID: %s", result.Verdict, result.Why, want)
	}
}
