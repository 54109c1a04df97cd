package brunt

import (
	"context"
	"net"
	"os"

	"github.com/brunt-go/brunt/telemetry"
)

// Host is the machine an App runs on, as far as the App may touch it. An App that
// goes through its Host alone runs on a machine in memory as well, in fake time, which
// is how package brunttest tests whole Apps. A nil field is that of [OSHost]. The
// functions may be called concurrently.
type Host struct {
	// Dial opens every connection of the App.
	Dial telemetry.Dialer
	// Listen opens every listener of the App. The context bounds the opening alone.
	Listen func(ctx context.Context, network, address string) (net.Listener, error)
	// ReadFile returns what a file holds.
	ReadFile func(name string) ([]byte, error)
}

// OSHost is the operating system.
func OSHost() Host {
	return Host{
		Dial:     new(net.Dialer).DialContext,
		Listen:   new(net.ListenConfig).Listen,
		ReadFile: os.ReadFile,
	}
}

// complete is h with OSHost's fields where it has none.
func (h Host) complete() Host {
	system := OSHost()
	if h.Dial == nil {
		h.Dial = system.Dial
	}
	if h.Listen == nil {
		h.Listen = system.Listen
	}
	if h.ReadFile == nil {
		h.ReadFile = system.ReadFile
	}
	return h
}
