package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// startError says why the command at path could not be started and, of one that
// is not there, where it was looked for.
func (run *running) startError(path string, err error) error {
	from, absErr := filepath.Abs(run.Dir)
	if !errors.Is(err, fs.ErrNotExist) || absErr != nil {
		return fmt.Errorf("start %s: %w", path, err)
	}
	field := "services." + run.Name + ".dir"
	// The system names the command also where the folder is what it misses.
	if dir, absent := os.Stat(from); absent != nil || !dir.IsDir() {
		return fmt.Errorf("%s: there is no folder %s", field, from)
	}
	relative := strings.Contains(filepath.ToSlash(path), "/") && !filepath.IsAbs(path)
	if _, absent := os.Stat(filepath.Join(from, path)); !relative || absent == nil {
		return fmt.Errorf("start %s: %w", path, err)
	}
	if run.Dir != "" {
		return fmt.Errorf("%s: not found from %s (%s)", path, from, field)
	}
	return fmt.Errorf("%s: not found from %s (where brunt was started); set %s, or run brunt from the plan's folder", path, from, field)
}

// unreadyHint says what to look at in a service that runs and never became
// ready.
func (run *running) unreadyHint(why error) string {
	field := "services." + run.Name
	var dial *net.OpError
	refused := errors.As(why, &dial) && dial.Op == "dial"
	if run.Handler != nil || run.Ready != "" && !refused {
		return fmt.Sprintf("is %s.ready the right URL, and %s.ready_timeout long enough?", field, field)
	}
	return fmt.Sprintf("does it listen at %s? It finds that address in LISTEN_ADDR, the port in PORT, and %s.exec can tell it: %s; if it listens elsewhere, set %s.listen",
		run.addr, field, addrOf(run.Name), field)
}

// addrOf is how a plan refers to the address of a service.
func addrOf(name string) string {
	plain := func(r rune) bool {
		return r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
	}
	if strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return fmt.Sprintf("{{(index .Services %q).Addr}}", name)
	}
	return "{{.Services." + name + ".Addr}}"
}
