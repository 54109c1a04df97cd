package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// A port that a proxy of the daemon has is said to be that one's.
func TestHolder(t *testing.T) {
	t.Parallel()
	d := runDaemon(t)
	p, err := d.client(t).Create(t.Context(), control.ProxySpec{Name: "redis", Listen: "127.0.0.1:0", Upstream: "u:1"})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "list.json")
	write(t, file, fmt.Sprintf(`[{"name":"a","listen":"127.0.0.1:0","upstream":"u:1"},{"name":"b","listen":%q,"upstream":"u:1"}]`, p.Listen))
	taken := "listen tcp " + p.Listen + ": bind: address already in use; the daemon's proxy redis listens there\n"
	rows := []struct{ args, want string }{
		{"create -u u:1 -l " + p.Listen + " web", "brunt: web: " + taken},
		{"populate " + file, "brunt: " + file + ": proxy b: " + taken},
		// Not a word of it where the address is not what is wrong, or nobody's.
		{"create -u u:1 -l " + p.Listen + " redis", "brunt: redis: proxy already exists\n"},
		{"create -u u:1 -l " + strings.TrimPrefix(d.url, "http://") + " web",
			"brunt: web: listen tcp " + strings.TrimPrefix(d.url, "http://") + ": bind: address already in use\n"},
	}
	for _, row := range rows {
		t.Run(strings.Fields(row.args)[0], func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			status := Run(t.Context(), append([]string{"proxy", "--address", d.url}, strings.Fields(row.args)...), nil, &stdout, &stderr)
			if status != exitFail || stderr.String() != row.want {
				t.Errorf("brunt proxy %s = %d %q, %q, want %d and %q", row.args, status, &stdout, &stderr, exitFail, row.want)
			}
		})
	}
}

func TestSameAddress(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, a, b string
		want       bool
	}{
		{"same", "127.0.0.1:1", "127.0.0.1:1", true},
		{"other_port", "127.0.0.1:1", "127.0.0.1:2", false},
		{"other_host", "127.0.0.1:1", "127.0.0.2:1", false},
		{"all_hosts", "[::]:1", "127.0.0.1:1", true},
		{"all_hosts_4", "127.0.0.1:1", "0.0.0.0:1", true},
		{"not_started", "localhost:1", "127.0.0.1:1", false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := sameAddress(row.a, row.b); got != row.want {
				t.Errorf("sameAddress(%s, %s) = %t, want %t", row.a, row.b, got, row.want)
			}
		})
	}
}
