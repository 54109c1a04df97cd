package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"regexp"
	"slices"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// refusedAddress is an address that the system does not let be listened on, in its
// words.
var refusedAddress = regexp.MustCompile(`listen tcp (\S+): bind: `)

// holder is err with the proxy that has the address, if it is about one that a proxy
// of the daemon listens on.
func holder(ctx context.Context, client *control.Client, err error) error {
	var refused *control.Error
	if !errors.As(err, &refused) || refused.Status != http.StatusInternalServerError {
		return err
	}
	found := refusedAddress.FindStringSubmatch(refused.Message)
	if found == nil {
		return err
	}
	proxies, askErr := client.Proxies(ctx)
	if askErr != nil {
		return err // which is what was asked about
	}
	for _, name := range slices.Sorted(maps.Keys(proxies)) {
		if p := proxies[name]; p.Enabled && sameAddress(p.Listen, found[1]) {
			return fmt.Errorf("%w; the daemon's proxy %s listens there", err, visible(name))
		}
	}
	return err
}

// sameAddress reports whether no two can listen on both: the port is the same, and
// the host, unless one of them is all hosts of the machine.
func sameAddress(a, b string) bool {
	x, err := netip.ParseAddrPort(a)
	y, err2 := netip.ParseAddrPort(b)
	if err != nil || err2 != nil {
		return a == b
	}
	return x.Port() == y.Port() &&
		(x.Addr() == y.Addr() || x.Addr().IsUnspecified() || y.Addr().IsUnspecified())
}
