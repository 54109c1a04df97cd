package report

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// palettes are the colours of the light and the dark page.
func palettes(t *testing.T) map[string]map[string]string {
	t.Helper()
	css, err := web.ReadFile("web/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, rest, _ := strings.Cut(string(css), "@media screen and (prefers-color-scheme: dark)")
	dark, _, _ := strings.Cut(rest, "* { box-sizing")
	out := map[string]map[string]string{}
	for name, text := range map[string]string{"light": light, "dark": dark} {
		out[name] = map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z]+): (#[0-9a-f]{6});`).FindAllStringSubmatch(text, -1) {
			out[name][m[1]] = m[2]
		}
	}
	return out
}

// luminance is what WCAG 2 calls relative luminance.
func luminance(colour string) float64 {
	var l float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, _ := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		l += weight * c
	}
	return l
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Text can be read and marks can be seen, in both themes: 4.5 and 3 to 1, as
// WCAG 2 has it.
func TestStyle_contrast(t *testing.T) {
	t.Parallel()
	for theme, colours := range palettes(t) {
		for want, names := range map[float64][]string{
			4.5: {"ink", "soft", "pass", "fail", "invalid", "inconclusive", "dropped"},
			3:   {"full", "degraded"},
		} {
			for _, name := range names {
				t.Run(fmt.Sprintf("%s_%s", theme, name), func(t *testing.T) {
					t.Parallel()
					for _, ground := range []string{"paper", "card", "tint"} {
						if got := contrast(colours[name], colours[ground]); got < want {
							t.Errorf("%s on %s: %.2f to 1, want at least %v", name, ground, got, want)
						}
					}
				})
			}
		}
	}
}
