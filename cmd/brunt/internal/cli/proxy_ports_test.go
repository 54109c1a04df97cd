package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEphemeralPorts(t *testing.T) {
	t.Parallel()
	r := parsePortRange("32768\t60999\n", "40000,50000-50010\n")
	rows := []struct {
		port int
		want bool
	}{{32767, false}, {32768, true}, {40000, false}, {40001, true}, {50005, false}, {60999, true}, {61000, false}, {0, false}}
	for _, row := range rows {
		if got := r.has(row.port); got != row.want {
			t.Errorf("has(%d) = %v, want %v", row.port, got, row.want)
		}
	}
	if parsePortRange("", "").has(40000) || parsePortRange("nonsense", "\n").has(0) {
		t.Error("a range nobody gave has ports")
	}
}

// Only a fixed port in the range is warned of.
func TestDaemon_ephemeralPort(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/sys/net/ipv4/ip_local_port_range"); err != nil {
		t.Log("this system does not say which ports it gives away; only the parsing is tested")
		return
	}
	config := filepath.Join(t.TempDir(), "proxies.json")
	write(t, config, `[
		{"name": "free", "listen": "127.0.0.1:0", "upstream": "localhost:80"},
		{"name": "low", "listen": "127.0.0.1:1023", "upstream": "localhost:80", "enabled": false},
		{"name": "high", "listen": "127.0.0.1:40000", "upstream": "localhost:80", "enabled": false}]`)
	d := runDaemon(t, "-config", config)
	var warned []string
	for line := range strings.Lines(d.stderr.String()) {
		if strings.Contains(line, "the port may be taken") {
			_, rest, _ := strings.Cut(line, `"proxy":"`)
			name, _, _ := strings.Cut(rest, `"`)
			warned = append(warned, name)
		}
	}
	if !slices.Equal(warned, []string{"high"}) {
		t.Errorf("warned of %q, want high alone:\n%s", warned, d.stderr.String())
	}
}
