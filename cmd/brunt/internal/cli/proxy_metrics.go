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

	received, sent, dropped             *prometheus.Desc
	open, connections, rejected         *prometheus.Desc
	dialErrors, acceptErrors, toxicHits *prometheus.Desc
}

var _ prometheus.Collector = (*proxyMetrics)(nil)

func newProxyMetrics(server *control.Server) *proxyMetrics {
	desc := func(name, help string, more ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, append([]string{"proxy", "listener", "upstream", "session"}, more...), nil)
	}
	return &proxyMetrics{
		server:       server,
		received:     desc("toxiproxy_proxy_received_bytes_total", "Bytes that came in.", "direction"),
		sent:         desc("toxiproxy_proxy_sent_bytes_total", "Bytes that went out.", "direction"),
		dropped:      desc("brunt_proxy_dropped_bytes_total", "Bytes that a toxic threw away.", "direction"),
		open:         desc("brunt_proxy_connections_open", "Connections that are open."),
		connections:  desc("brunt_proxy_connections_total", "Connections that were accepted."),
		rejected:     desc("brunt_proxy_rejected_connections_total", "Connections that were reset because too many were open."),
		dialErrors:   desc("brunt_proxy_dial_errors_total", "Times the upstream could not be reached."),
		acceptErrors: desc("brunt_proxy_accept_errors_total", "Times a connection could not be accepted."),
		toxicHits:    desc("brunt_proxy_toxic_hits_total", "Connections a toxic has hit.", "toxic"),
	}
}

// Describe implements prometheus.Collector.
func (m *proxyMetrics) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, to) }

// Collect implements prometheus.Collector.
func (m *proxyMetrics) Collect(to chan<- prometheus.Metric) {
	for _, s := range m.server.AllStats() {
		send := func(d *prometheus.Desc, kind prometheus.ValueType, value int64, more ...string) {
			labels := append([]string{s.Proxy, s.Listen, s.UpstreamAddress, s.Session}, more...)
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
