package httphealth_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/health"
	"github.com/brunt-go/brunt/health/httphealth"
)

// The probes of an App on a server that it has for something else already.
func ExampleNewHandler() {
	var warm health.Binary
	s := &brunt.Setup{} // in an App, the one Init is given
	mux := http.NewServeMux()
	mux.Handle("/health/", httphealth.NewHandler(s, health.Readiness(&warm)))

	ask := func() {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), "GET", "/health/readiness", nil))
		fmt.Print(w.Code, " ", w.Body)
	}
	ask()
	warm.Set(true)
	ask()
	// Output:
	// 503 unavailable
	// 200 ok
}

// The probes of an App on a server of their own.
func ExampleNewService() {
	var warm health.Binary
	init := func(_ context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		settings := httphealth.DefaultSettings()
		settings.Addr = ":8081"
		probes, err := httphealth.NewService(s, settings, health.Readiness(&warm))
		if err != nil {
			return nil, err
		}
		return []brunt.Service{probes /* and the App's others */}, nil
	}
	services, err := init(context.Background(), &brunt.Setup{}) // in main, brunt.Main(init)
	fmt.Println(services[0], err)
	// Output: health probes on :8081 <nil>
}
