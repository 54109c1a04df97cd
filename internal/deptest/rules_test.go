package deptest

import "testing"

const (
	module    = "github.com/brunt-go/brunt"
	httpproxy = module + "/network/proxy/httpproxy"
)

// The imports of the root module. Other modules are checked in their own tests.
func TestRules(t *testing.T) {
	t.Parallel()
	Check(t, "../..", []string{"./..."}, []Rule{
		{
			Packages: []string{module + "/judge/ledger", module + "/judge/oracle"},
			Allow:    []string{Std, module + "/judge/ledger"},
			Forbid:   []string{"net", "os/exec"},
			Why:      "the ledger and the oracles are pure: no clock, no goroutine, no I/O, so that a verdict can be reached again from a file",
		},
		{
			Packages: []string{module + "/network/..."},
			Allow: []string{
				Std, module + "/network/...", module + "/judge/ledger", module + "/internal/...",
				"golang.org/x/...",
			},
			Except: []string{httpproxy},
			Why:    "the network level knows nothing of the runtime or the judge; it only writes what it did into a ledger",
		},
		{
			Packages: []string{httpproxy},
			Allow: []string{
				Std, module + "/network/...", module + "/judge/ledger", module + "/internal/...", module + "/fit",
				"golang.org/x/...", "go.opentelemetry.io/otel/...", "github.com/cespare/xxhash/v2",
			},
			Forbid: []string{"go.opentelemetry.io/otel/sdk/..."},
			Why:    "the proxy that speaks HTTP reads scenarios from headers, for which it needs the model and OpenTelemetry's API, and nothing else of the request level",
		},
		{
			Packages: []string{module + "/fit/...", module + "/fault/..."},
			Allow: []string{
				Std, module + "/fit/...", module + "/fault/...", module + "/internal/seeded", module + "/internal/baggageheader",
				"go.opentelemetry.io/otel/...", "github.com/cespare/xxhash/v2",
			},
			Forbid: []string{"go.opentelemetry.io/otel/sdk/..."},
			Why:    "fit and fault are linked into other people's services: the standard library and OpenTelemetry's API (with what that needs) are all they bring",
		},
		{
			Packages: []string{module + "/config"},
			Allow:    []string{Std},
			Why:      "settings are read before anything else is there, and by anyone: config is the standard library and nothing more",
		},
		{
			Packages: []string{module + "/health"},
			Allow:    []string{Std},
			Why:      "whatever can be well or ill has a Monitor, in every module: the package brings nothing along",
		},
		{
			Packages: []string{module + "/fit/...", module + "/fault/...", module + "/network/..."},
			Forbid:   []string{module, module + "/config", module + "/telemetry", module + "/health/...", module + "/job"},
			Why:      "most users keep their own runtime: faults, points and proxies work without ours",
		},
		{
			Packages: []string{module + "/retry", module + "/circuit"},
			Allow: []string{
				Std, module + "/fit", module + "/internal/seeded", "go.opentelemetry.io/otel/...", "github.com/cespare/xxhash/v2",
				"github.com/cenkalti/backoff/v5", "github.com/sony/gobreaker/v2",
			},
			Forbid: []string{"go.opentelemetry.io/otel/sdk/..."},
			Why:    "any client of any protocol retries and breaks, also outside of the runtime: they bring the arithmetic, OpenTelemetry's API and the ordinal of an attempt",
		},
		{
			Packages: []string{module + "/httpclient/transport"},
			Forbid: []string{
				module, module + "/config", module + "/telemetry", module + "/fault/...", module + "/judge/...", module + "/network/...",
				"go.opentelemetry.io/contrib/...", "go.opentelemetry.io/otel/sdk/...",
			},
			Why: "the layers are for anybody's http.Client, without the runtime; and retries and breakers know nothing of injected failures, which are what they look like", // R79, R85
		},
		{
			Packages: []string{module + "/httpclient"},
			Forbid: []string{
				module + "/judge/...", module + "/network/...", module + "/health/...", module + "/httpserver/...", module + "/job", module + "/brunttest",
			},
			Why: "a client is built from the runtime, points, retries and breakers: an App that only calls takes no server along, and none is judged by itself",
		},
		{
			Packages: []string{module + "/httpserver"},
			Forbid: []string{
				module + "/httpclient/...", module + "/retry", module + "/circuit", module + "/judge/...", module + "/network/...",
				module + "/health/...", module + "/job", module + "/brunttest",
			},
			Why: "a server is built from the runtime and the strip of fault/faulthttp: an App that only serves takes no client along, and none is judged by itself",
		},
		{
			Packages: []string{module},
			Forbid: []string{
				module + "/judge/...", module + "/network/...", module + "/health/...", module + "/job", module + "/brunttest",
				module + "/retry", module + "/circuit", module + "/httpclient/...", module + "/httpserver/...",
			},
			Why: "the runtime is below its Services and its test kit, and knows nothing of proxies and verdicts",
		},
		{
			Packages: []string{module + "/..."},
			Forbid: []string{
				"github.com/google/cel-go/...", "github.com/goccy/go-yaml/...", "github.com/spf13/cobra/...",
				"k8s.io/...", "gvisor.dev/...", "github.com/twmb/franz-go/...",
			},
			Why: "the root module is linked into other people's services: a heavy dependency lives in the module that needs it",
		},
		{
			Packages: []string{module + "/telemetry"},
			Forbid:   []string{module, module + "/config", module + "/fit/...", module + "/fault/...", module + "/network/..."},
			Why:      "telemetry is below the runtime, and an exporter serves no request: it must not even know of points and scenarios", // R86, R202
		},
		{
			Packages: []string{module + "/..."},
			Except:   []string{module, module + "/telemetry", module + "/brunttest/...", module + "/job/...", module + "/health/httphealth", module + "/httpclient", module + "/httpserver"},
			Forbid:   []string{"google.golang.org/grpc/...", "go.opentelemetry.io/otel/exporters/..."},
			Why:      "gRPC comes with OpenTelemetry's exporters, which only an App has: telemetry, the runtime and what is built on it (docs/design/0004-grpc-comes-with-the-exporters.md)",
		},
	})
}
