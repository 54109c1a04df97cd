package brunttest_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/brunttest"
	"github.com/brunt-go/brunt/network/toxic"
)

// Two Apps: a shop takes orders, and has payments charge them. When payments has not
// answered after 500 ms, the order is taken all the same, to be charged later.

// newShop is the Init of the shop.
func newShop(config *tls.Config) brunttest.Init {
	return func(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
		transport := &http.Transport{DialContext: s.Host.Dial, TLSClientConfig: config.Clone(), ForceAttemptHTTP2: true}
		s.OnStop(func(context.Context) error { transport.CloseIdleConnections(); return nil })
		payments := &http.Client{Transport: transport, Timeout: 500 * time.Millisecond}
		later, err := s.Telemetry.MeterProvider.Meter("shop").Int64Counter("shop.charged_later")
		if err != nil {
			return nil, err
		}
		log := s.Telemetry.Logger("shop")
		return newServer(":8443", config, func(w http.ResponseWriter, r *http.Request) {
			resp, err := payments.Post(s.Process.Environment["PAYMENTS_URL"], "text/plain", http.NoBody)
			if err != nil {
				later.Add(r.Context(), 1)
				log.WarnContext(r.Context(), "charged later", "error", err)
				w.WriteHeader(http.StatusAccepted)
				return
			}
			defer resp.Body.Close()
			io.Copy(w, resp.Body)
		})(ctx, s)
	}
}

// newPayments is the Init of payments, which take 10 ms for a charge.
func newPayments(config *tls.Config) brunttest.Init {
	return newServer(":8443", config, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(10 * time.Millisecond)
		fmt.Fprint(w, "charged")
	})
}

// R193, R195.
func TestShop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		host, ca, tel := brunttest.NewHost(t), brunttest.NewCA(t), brunttest.NewTelemetry()
		config := func(name string) *tls.Config {
			return &tls.Config{RootCAs: ca.Pool(), Certificates: []tls.Certificate{ca.Issue(t, name).TLS()}}
		}
		link := host.Link("shop", "payments")

		brunttest.Start(t, newPayments(config("payments")),
			brunttest.WithApp(brunt.WithHost(host.Named("payments").Host())))
		shop, status := brunttest.Start(t, newShop(config("shop")),
			brunttest.WithApp(brunt.WithHost(host.Named("shop").Host()), brunt.WithTelemetry(tel.Builder())),
			brunttest.WithEnv(map[string]string{"PAYMENTS_URL": "https://payments:8443/"}))
		<-host.Listening("payments:8443")
		select {
		case <-host.Listening("shop:8443"):
		case s := <-status:
			t.Fatal(s)
		}
		client := host.HTTPClient()
		client.Transport.(*http.Transport).TLSClientConfig = config("test")

		order := func(want int, took time.Duration) {
			t.Helper()
			begin := time.Now()
			resp, err := client.Post("https://shop:8443/orders", "text/plain", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if d := time.Since(begin); resp.StatusCode != want || d != took {
				t.Errorf("%s after %v, want %d after %v", resp.Status, d, want, took)
			}
		}
		order(200, 10*time.Millisecond)

		link.Add(toxic.NewSpec("there", toxic.Upstream, &toxic.Latency{Latency: 100 * time.Millisecond}))
		link.Add(toxic.NewSpec("back", toxic.Downstream, &toxic.Latency{Latency: 50 * time.Millisecond}))
		order(200, 160*time.Millisecond)

		link.Update(toxic.NewSpec("back", toxic.Downstream, &toxic.Latency{Latency: 14 * time.Second}))
		order(202, 500*time.Millisecond)

		link.Remove("there", "back")
		order(200, 10*time.Millisecond)

		if s := shop.Stop(); s.Code() != brunt.ExitSuccess {
			t.Errorf("the shop ended with %v", <-status)
		}
		if n := tel.Sum("shop.charged_later"); n != 1 {
			t.Errorf("%v orders were charged later, want 1", n)
		}
		if logs := tel.LogsAt(slog.LevelWarn); len(logs) != 1 || logs[0].Message != "charged later" {
			t.Errorf("warnings: %+v", logs)
		}
	})
}

// The network breaks in every way a toxic knows, and no order is lost.
func TestShop_everyToxic(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		spec toxic.Spec
		want string
		took time.Duration
	}{
		{"blackhole", toxic.NewSpec("x", toxic.Upstream, &toxic.Blackhole{}), "202", 500 * time.Millisecond},
		{"reset", toxic.NewSpec("x", toxic.Downstream, &toxic.ResetPeer{}), "202", 0},
		{"cut", toxic.NewSpec("x", toxic.Downstream, &toxic.LimitData{Bytes: 10}), "202", 10 * time.Millisecond},
		{"sliced", toxic.NewSpec("x", toxic.Downstream, &toxic.Slicer{AverageSize: 50, Delay: 10 * time.Millisecond}), "200", 30 * time.Millisecond},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				host := brunttest.NewHost(t)
				host.Link("shop", "payments").Add(row.spec)
				brunttest.Start(t, newPayments(nil), brunttest.WithApp(brunt.WithHost(host.Named("payments").Host())))
				brunttest.Start(t, newShop(nil), brunttest.WithApp(brunt.WithHost(host.Named("shop").Host())),
					brunttest.WithEnv(map[string]string{"PAYMENTS_URL": "http://payments:8443/"}))
				<-host.Listening("payments:8443")
				<-host.Listening("shop:8443")
				begin := time.Now()
				resp, err := host.HTTPClient().Post("http://shop:8443/orders", "text/plain", http.NoBody)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if took := time.Since(begin); resp.Status[:3] != row.want || took != row.took {
					t.Errorf("%s after %v, want %s after %v", resp.Status, took, row.want, row.took)
				}
			})
		})
	}
}
