package cli

import (
	"path/filepath"
	"slices"
	"strings"
)

// asCalled is the command line of a program with the name of one of Toxiproxy's:
// a link of that name stands in for it.
func asCalled(program string, args []string) []string {
	program = strings.TrimSuffix(filepath.Base(program), ".exe")
	switch {
	case strings.HasPrefix(program, "toxiproxy-server"):
		return append([]string{"proxy"}, args...)
	case strings.HasPrefix(program, "toxiproxy-cli"):
		return append([]string{"proxy"}, cliArgs(args)...)
	default:
		return args
	}
}

// cliArgs gives toxiproxy-cli's own flags, which stand before the command, the
// names they have here. Without a command there is help, and no daemon.
func cliArgs(args []string) []string {
	out := slices.Clone(args)
	for i := 0; i < len(out); i++ {
		if out[i] == "help" || out[i] == "h" { // of a command, if one follows
			return append(slices.Delete(out, i, i+1), "--help")
		}
		if !strings.HasPrefix(out[i], "-") {
			return out
		}
		name, value, joined := strings.Cut(strings.TrimLeft(out[i], "-"), "=")
		switch name {
		case "host", "h":
			out[i] = "--address"
			if joined {
				out[i] += "=" + value
			} else {
				i++ // over its value
			}
		case "version", "v":
			return []string{"--version"}
		}
	}
	return append(out, "--help")
}

// longFlags are the flags toxiproxy-server and toxiproxy-cli take with one dash as
// well, as Go's package flag does.
func longFlags() []string {
	return []string{
		"host", "port", "config", "seed", "proxy-metrics", "runtime-metrics", "version", "help",
		"listen", "upstream", "downstream", "toxicName", "type", "toxicity", "tox", "attribute",
	}
}

// twoDashes gives those flags after "proxy" their second dash.
func twoDashes(args []string) []string {
	out := slices.Clone(args)
	after := false
	for i, arg := range out {
		if arg == "--" {
			return out
		}
		if !after {
			after = arg == "proxy"
			continue
		}
		if name, single := strings.CutPrefix(arg, "-"); single {
			name, _, _ = strings.Cut(name, "=")
			if slices.Contains(longFlags(), name) {
				out[i] = "-" + arg
			}
		}
	}
	return out
}
