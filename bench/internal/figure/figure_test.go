package figure

import (
	"slices"
	"testing"
	"time"
)

func TestOf(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		in     []float64
		want   Span
		spread float64
	}{
		{"one", []float64{3}, Span{3, 3, 3}, 0},
		{"odd", []float64{9, 1, 4}, Span{4, 1, 9}, 2},
		{"even", []float64{8, 1, 2, 4}, Span{3, 1, 8}, 7.0 / 3},
		{"zero", []float64{0, 0}, Span{0, 0, 0}, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			before := slices.Clone(row.in)
			got := Of(row.in)
			if got != row.want || got.Spread() != row.spread {
				t.Errorf("Of(%v) = %+v with a spread of %v, want %+v and %v", row.in, got, got.Spread(), row.want, row.spread)
			}
			if !slices.Equal(row.in, before) {
				t.Errorf("Of turned %v into %v", before, row.in)
			}
		})
	}
}

func TestSpan_format(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		one  func(float64) string
		in   Span
		want string
	}{
		{"count", Count, Span{12345.6, 9999.5, 20000}, "12346 (10000-20000)"},
		{"ratio", Ratio, Span{0.985, 0.5, 1.234}, "0.98 (0.50-1.23)"},
		{"fine", Fine, Span{0.0421, 0.04, 0.05}, "0.042 (0.040-0.050)"},
		{"micros", Micros, Span{104_400, 99_600, 2_000_000}, "104 (100-2000)"},
		{"millis", Millis, Span{361_441_104, 3e8, 4e8}, "361.4 (300.0-400.0)"},
		{"kilobytes", Kilobytes, Span{21504, 20480, 22528}, "21.0 (20.0-22.0)"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := row.in.Format(row.one); got != row.want {
				t.Errorf("%+v reads %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func TestRatios(t *testing.T) {
	t.Parallel()
	of, by := []float64{1, 4, 9}, []float64{2, 2}
	if got, want := Ratios(of, by), []float64{0.5, 2}; !slices.Equal(got, want) {
		t.Errorf("Ratios(%v, %v) = %v, want %v", of, by, got, want)
	}
	if got, want := Differences(of, by), []float64{-1, 2}; !slices.Equal(got, want) {
		t.Errorf("Differences(%v, %v) = %v, want %v", of, by, got, want)
	}
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i + 1)
	}
	rows := []struct {
		name string
		in   []time.Duration
		p    float64
		want time.Duration
	}{
		{"median_of_one", hundred[:1], 0.50, 1},
		{"median_of_two", hundred[:2], 0.50, 1},
		{"median_of_three", hundred[:3], 0.50, 2},
		{"p99_of_ten", hundred[:10], 0.99, 10},
		{"p99_of_a_hundred", hundred, 0.99, 99},
		{"lowest", hundred, 0, 1},
		{"highest", hundred, 1, 100},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := Percentile(row.in, row.p); got != row.want {
				t.Errorf("Percentile(1..%d, %v) = %d, want %d", len(row.in), row.p, got, row.want)
			}
		})
	}
}
