package cli

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/proxy/control"
)

// metricsHandler shows metrics in Prometheus's format.
func metricsHandler(server *control.Server, proxies, runtime bool) http.Handler {
	registry := prometheus.NewRegistry()
	if proxies {
		registry.MustRegister(newProxyMetrics(server))
	}
	if runtime {
		registry.MustRegister(
			collectors.NewGoCollector(),
			collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
			collectors.NewBuildInfoCollector(),
		)
	}
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// proxyMetrics reads the counters of a server whenever it is asked, so that they
// are right while connections are open.
type proxyMetrics struct {
	server *control.Server

	received, sent, dropped             family
	open, connections, rejected         family
	dialErrors, acceptErrors, toxicHits family
}

// family is a metric. Proxies of no session have Toxiproxy's labels and no other, so
// that what looks for its lines finds them.
type family struct{ ofNone, ofSession *prometheus.Desc }

func newFamily(name, help string, more ...string) family {
	labels := append([]string{"proxy", "listener", "upstream"}, more...)
	return family{
		ofNone:    prometheus.NewDesc(name, help, labels, nil),
		ofSession: prometheus.NewDesc(name, help, append(labels, "session"), nil),
	}
}

var _ prometheus.Collector = (*proxyMetrics)(nil)

func newProxyMetrics(server *control.Server) *proxyMetrics {
	return &proxyMetrics{
		server:       server,
		received:     newFamily("toxiproxy_proxy_received_bytes_total", "Bytes that came in.", "direction"),
		sent:         newFamily("toxiproxy_proxy_sent_bytes_total", "Bytes that went out.", "direction"),
		dropped:      newFamily("brunt_proxy_dropped_bytes_total", "Bytes that a toxic threw away.", "direction"),
		open:         newFamily("brunt_proxy_connections_open", "Connections that are open."),
		connections:  newFamily("brunt_proxy_connections_total", "Connections that were accepted."),
		rejected:     newFamily("brunt_proxy_rejected_connections_total", "Connections that were reset because too many were open."),
		dialErrors:   newFamily("brunt_proxy_dial_errors_total", "Times the upstream could not be reached."),
		acceptErrors: newFamily("brunt_proxy_accept_errors_total", "Times a connection could not be accepted."),
		toxicHits:    newFamily("brunt_proxy_toxic_hits_total", "Connections a toxic has hit.", "toxic"),
	}
}

// Describe implements prometheus.Collector. It says nothing, which leaves the labels
// unchecked: they are not the same for all proxies.
func (m *proxyMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (m *proxyMetrics) Collect(to chan<- prometheus.Metric) {
	for _, s := range m.server.AllStats() {
		send := func(f family, kind prometheus.ValueType, value int64, more ...string) {
			d, labels := f.ofNone, append([]string{s.Proxy, s.Listen, s.UpstreamAddress}, more...)
			if s.Session != "" {
				d, labels = f.ofSession, append(labels, s.Session)
			}
			to <- prometheus.MustNewConstMetric(d, kind, float64(value), labels...)
		}
		for direction, b := range map[string]proxy.Bytes{"upstream": s.Upstream, "downstream": s.Downstream} {
			send(m.received, prometheus.CounterValue, b.Read, direction)
			send(m.sent, prometheus.CounterValue, b.Written, direction)
			send(m.dropped, prometheus.CounterValue, b.Dropped, direction)
		}
		send(m.open, prometheus.GaugeValue, int64(s.Open))
		send(m.connections, prometheus.CounterValue, s.Connections)
		send(m.rejected, prometheus.CounterValue, s.Rejected)
		send(m.dialErrors, prometheus.CounterValue, s.DialErrors)
		send(m.acceptErrors, prometheus.CounterValue, s.AcceptErrors)
		for name, hits := range s.Hits {
			send(m.toxicHits, prometheus.CounterValue, hits, name)
		}
	}
}
