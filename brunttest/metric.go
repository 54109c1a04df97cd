package brunttest

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// Point is a data point of an instrument, for one set of attributes.
type Point struct {
	// Instrument is its name, Unit its unit.
	Instrument, Unit string
	Attributes       attribute.Set
	// Value is that of a counter or a gauge, and the sum of a histogram.
	Value float64
	// Count is how many values a histogram has. Zero for others.
	Count uint64
}

// Points returns the data points of the instrument of that name which have all of
// attributes, as they are now or were when the App ended. Several Apps have points of
// their own, in the order in which they were started.
func (tel *Telemetry) Points(instrument string, attributes ...attribute.KeyValue) []Point {
	return slices.DeleteFunc(tel.allPoints(), func(p Point) bool {
		return p.Instrument != instrument || !hasAll(p.Attributes, attributes)
	})
}

// Sum returns the Value of all those Points together.
func (tel *Telemetry) Sum(instrument string, attributes ...attribute.KeyValue) float64 {
	sum := 0.0
	for _, p := range tel.Points(instrument, attributes...) {
		sum += p.Value
	}
	return sum
}

// Count returns the Count of all those Points together.
func (tel *Telemetry) Count(instrument string, attributes ...attribute.KeyValue) uint64 {
	count := uint64(0)
	for _, p := range tel.Points(instrument, attributes...) {
		count += p.Count
	}
	return count
}

// Instruments returns the names of all instruments with data, sorted.
func (tel *Telemetry) Instruments() []string {
	var names []string
	for _, p := range tel.allPoints() {
		names = append(names, p.Instrument)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (tel *Telemetry) allPoints() []Point {
	tel.mu.Lock()
	readers := slices.Clone(tel.readers)
	tel.mu.Unlock()
	var all []Point
	for _, r := range readers {
		metrics, _ := r.read(context.Background()) // a callback that failed leaves the rest as it is
		for _, scope := range metrics.ScopeMetrics {
			for _, m := range scope.Metrics {
				all = append(all, points(m)...)
			}
		}
	}
	return all
}

func hasAll(set attribute.Set, wanted []attribute.KeyValue) bool {
	for _, kv := range wanted {
		if v, ok := set.Value(kv.Key); !ok || v != kv.Value {
			return false
		}
	}
	return true
}

func points(m metricdata.Metrics) []Point {
	switch d := m.Data.(type) {
	case metricdata.Sum[int64]:
		return numbers(m, d.DataPoints)
	case metricdata.Sum[float64]:
		return numbers(m, d.DataPoints)
	case metricdata.Gauge[int64]:
		return numbers(m, d.DataPoints)
	case metricdata.Gauge[float64]:
		return numbers(m, d.DataPoints)
	case metricdata.Histogram[int64]:
		return histograms(m, d.DataPoints)
	case metricdata.Histogram[float64]:
		return histograms(m, d.DataPoints)
	}
	return nil // the others need a view, and there is none
}

func numbers[N int64 | float64](m metricdata.Metrics, from []metricdata.DataPoint[N]) []Point {
	all := make([]Point, len(from))
	for i, p := range from {
		all[i] = Point{Instrument: m.Name, Unit: m.Unit, Attributes: p.Attributes, Value: float64(p.Value)}
	}
	return all
}

func histograms[N int64 | float64](m metricdata.Metrics, from []metricdata.HistogramDataPoint[N]) []Point {
	all := make([]Point, len(from))
	for i, p := range from {
		all[i] = Point{Instrument: m.Name, Unit: m.Unit, Attributes: p.Attributes, Value: float64(p.Sum), Count: p.Count}
	}
	return all
}
