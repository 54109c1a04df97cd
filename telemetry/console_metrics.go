package telemetry

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/stdout/stdoutmetric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// consoleMetrics writes a line for each data point.
func (b *build) consoleMetrics(e Exporter) sdkmetric.Exporter {
	if e == ExporterJSON {
		if exporter, err := stdoutmetric.New(stdoutmetric.WithWriter(b.stdout)); err == nil { // it has no other way to fail
			return exporter
		}
	}
	return metricLines{b.lines(e)}
}

type metricLines struct{ to slog.Handler }

var _ sdkmetric.Exporter = metricLines{}

// Temporality implements sdkmetric.Exporter.
func (metricLines) Temporality(k sdkmetric.InstrumentKind) metricdata.Temporality {
	return sdkmetric.DefaultTemporalitySelector(k)
}

// Aggregation implements sdkmetric.Exporter.
func (metricLines) Aggregation(k sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(k)
}

// ForceFlush implements sdkmetric.Exporter.
func (metricLines) ForceFlush(context.Context) error { return nil }

// Shutdown implements sdkmetric.Exporter.
func (metricLines) Shutdown(context.Context) error { return nil }

// Export implements sdkmetric.Exporter.
func (l metricLines) Export(ctx context.Context, all *metricdata.ResourceMetrics) error {
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			for _, p := range points(m.Data) {
				attrs := append([]slog.Attr{slog.String("name", m.Name), slog.String("unit", m.Unit)}, p.is...)
				if err := write(ctx, l.to, p.at, "metric", append(attrs, list(p.of.ToSlice())...)...); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// point is a data point of any kind.
type point struct {
	at time.Time
	is []slog.Attr
	of attribute.Set
}

func points(data metricdata.Aggregation) []point {
	switch d := data.(type) {
	case metricdata.Sum[int64]:
		return numbers(d.DataPoints)
	case metricdata.Sum[float64]:
		return numbers(d.DataPoints)
	case metricdata.Gauge[int64]:
		return numbers(d.DataPoints)
	case metricdata.Gauge[float64]:
		return numbers(d.DataPoints)
	case metricdata.Histogram[int64]:
		return histograms(d.DataPoints)
	case metricdata.Histogram[float64]:
		return histograms(d.DataPoints)
	}
	return nil // exponential histograms and summaries need a view, which New sets none of
}

func numbers[N int64 | float64](from []metricdata.DataPoint[N]) []point {
	all := make([]point, len(from))
	for i, p := range from {
		all[i] = point{p.Time, []slog.Attr{slog.Any("value", p.Value)}, p.Attributes}
	}
	return all
}

func histograms[N int64 | float64](from []metricdata.HistogramDataPoint[N]) []point {
	all := make([]point, len(from))
	for i, p := range from {
		all[i] = point{p.Time, []slog.Attr{slog.Uint64("count", p.Count), slog.Any("sum", p.Sum)}, p.Attributes}
	}
	return all
}
