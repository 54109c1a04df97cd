package main

import (
	"io"
	"testing"
	"testing/synctest"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/telemetry"
)

func TestHello(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		host := brunttest.NewHost(t)
		app, _ := brunttest.Start(t, initialize,
			brunttest.WithApp(brunt.WithHost(host.Host()), brunt.WithTelemetry(telemetry.NoopBuilder)),
			brunttest.WithEnv(map[string]string{"HELLO_ADDR": "hello:80"}))
		<-host.Listening("hello:80")

		resp, err := host.HTTPClient().Get("http://hello/")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if body, err := io.ReadAll(resp.Body); string(body) != "hello\n" || err != nil {
			t.Errorf("GET / = %q, %v", body, err)
		}
		if status := app.Stop(); status.Code() != brunt.ExitSuccess {
			t.Error(status)
		}
	})
}
