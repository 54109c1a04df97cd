package cli

import (
	"slices"
	"testing"

	"github.com/brunt-go/brunt/network/toxic"
)

func TestParseAttributes(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		in   []string
		want string
	}{
		{"none", nil, ``},
		{"number", []string{"latency=100"}, `{"latency":100}`},
		{"two", []string{"latency=100", "jitter=5"}, `{"jitter":5,"latency":100}`},
		{"two_in_one", []string{"latency=100,jitter=5"}, `{"jitter":5,"latency":100}`},
		{"spaced", []string{"latency=100, jitter=5"}, `{"jitter":5,"latency":100}`},
		{"as_floats_are_written", []string{"rate=1e3", "burst=+5", "x=.5"}, `{"burst":5,"rate":1000,"x":0.5}`},
		{"kept_exactly", []string{"bytes=9007199254740991"}, `{"bytes":9007199254740991}`},
		{"too_large", []string{"bytes=1e999"}, `{"bytes":1e999}`},
		{"not_a_number", []string{"rate=nan", "burst=Inf"}, `{"burst":"Inf","rate":"nan"}`},
		{"word", []string{"scope=proxy"}, `{"scope":"proxy"}`},
		{"quoted", []string{`scope="proxy"`}, `{"scope":"proxy"}`},
		{"bool", []string{"on_connect=true"}, `{"on_connect":true}`},
		{"object", []string{`percentiles={"50": 20, "99": 900},jitter=1`}, `{"jitter":1,"percentiles":{"50":20,"99":900}}`},
		{"array", []string{"offsets=[1,2]"}, `{"offsets":[1,2]}`},
		{"empty", []string{"scope="}, `{"scope":""}`},
		{"equals", []string{"scope=a=b"}, `{"scope":"a=b"}`},
		{"hostile", []string{"scope=\"},{\x00"}, `{"scope":"\"},{\u0000"}`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseAttributes(row.in)
			if err != nil || string(got) != row.want {
				t.Errorf("parseAttributes(%q) = %s, %v, want %s", row.in, got, err, row.want)
			}
		})
	}
	for _, bad := range [][]string{{"latency"}, {"=5"}, {""}, {"a=1,a=2"}, {"a=1", "a=2"}, {"a=1", "b"}} {
		if got, err := parseAttributes(bad); err == nil {
			t.Errorf("parseAttributes(%q) = %s, want an error", bad, got)
		}
	}
}

// Each kind's attributes are known, and are those the engine reads.
func TestAttributeNames(t *testing.T) {
	t.Parallel()
	for _, kind := range toxic.Kinds() {
		names := attributeNames(kind)
		if names == nil && !slices.Contains([]string{"blackhole", "noop"}, kind) {
			t.Errorf("attributeNames(%q) = nil: it needs an attribute that attributeNames doesn't give it", kind)
		}
	}
	if got := attributeNames("latnecy"); got != nil {
		t.Errorf("attributeNames of no kind = %q, want none", got)
	}
}

func TestTwoDashes(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name     string
		in, want []string
	}{
		{"daemon", []string{"proxy", "-host", "x", "-port=1", "-v"}, []string{"proxy", "--host", "x", "--port=1", "-v"}},
		{"client", []string{"proxy", "t", "add", "-type", "x", "-tox=1", "-t", "y", "-u"}, []string{"proxy", "t", "add", "--type", "x", "--tox=1", "-t", "y", "-u"}},
		{"help", []string{"proxy", "-help"}, []string{"proxy", "--help"}},
		{"before_proxy", []string{"run", "-host"}, []string{"run", "-host"}},
		{"after_the_end", []string{"proxy", "inspect", "--", "-host"}, []string{"proxy", "inspect", "--", "-host"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := twoDashes(row.in); !slices.Equal(got, row.want) {
				t.Errorf("twoDashes(%q) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func TestAsCalled(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, program string
		in, want      []string
	}{
		{"brunt", "/usr/bin/brunt", []string{"run"}, []string{"run"}},
		{"server", "/usr/bin/toxiproxy-server", []string{"-port", "1"}, []string{"proxy", "-port", "1"}},
		{"server_of_a_platform", `toxiproxy-server-linux-amd64`, nil, []string{"proxy"}},
		{"windows", `toxiproxy-server.exe`, nil, []string{"proxy"}},
		{"cli", "toxiproxy-cli", []string{"list"}, []string{"proxy", "list"}},
		{"cli_host", "toxiproxy-cli", []string{"-h", "x:1", "t", "a", "-h"}, []string{"proxy", "--address", "x:1", "t", "a", "-h"}},
		{"cli_long_host", "toxiproxy-cli", []string{"--host=x:1", "list"}, []string{"proxy", "--address=x:1", "list"}},
		{"cli_version", "toxiproxy-cli", []string{"--version"}, []string{"proxy", "--version"}},
		{"cli_alone", "toxiproxy-cli", nil, []string{"proxy", "--help"}},
		{"cli_help", "toxiproxy-cli", []string{"-h", "x:1", "help"}, []string{"proxy", "--address", "x:1", "--help"}},
		{"cli_help_of", "toxiproxy-cli", []string{"h", "toxic", "add"}, []string{"proxy", "toxic", "add", "--help"}},
		{"cli_proxy_help", "toxiproxy-cli", []string{"inspect", "help"}, []string{"proxy", "inspect", "help"}},
		{"cli_host_alone", "toxiproxy-cli", []string{"-host"}, []string{"proxy", "--address", "--help"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if got := asCalled(row.program, row.in); !slices.Equal(got, row.want) {
				t.Errorf("asCalled(%q, %q) = %q, want %q", row.program, row.in, got, row.want)
			}
		})
	}
}
