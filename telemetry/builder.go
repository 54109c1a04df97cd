package telemetry

import (
	"context"
	"io"
	"net"
)

// SDK is a Telemetry with what has to be ended when the App ends.
type SDK struct {
	Telemetry
	// Shutdown sends what was recorded and not sent yet, and ends the goroutines
	// behind it. It is called once, when nothing records any more. It returns
	// when ctx is done at the latest, with the cause if that was too early.
	Shutdown func(ctx context.Context) error
}

// Dialer opens a connection, as net.Dialer's DialContext does.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)

// Surroundings are what a Builder may use of the world.
type Surroundings struct {
	// Environment has the process's environment variables. Nil means none.
	Environment map[string]string
	// Stdout takes what is to be read by people or by whoever collects an App's
	// output. Nil throws it away.
	Stdout io.Writer
	// Stderr takes complaints about telemetry itself, such as a collector that
	// cannot be reached. Nil throws them away.
	Stderr io.Writer
	// Dial opens every connection telemetry makes. Nil means a net.Dialer's.
	Dial Dialer
	// ReadFile reads the certificates that variables name. Nil means os.ReadFile.
	ReadFile func(name string) ([]byte, error)
}

// Builder builds the telemetry of an App. It is called once, before anything else of
// the App, and must not wait for anything outside of the process: an App starts
// whether or not its collector does.
type Builder func(ctx context.Context, s Surroundings) (SDK, error)

// NoopBuilder is a Builder of Noop.
func NoopBuilder(context.Context, Surroundings) (SDK, error) { return noopSDK(Noop()), nil }

var _ Builder = NoopBuilder

func noopSDK(t Telemetry) SDK {
	return SDK{Telemetry: t, Shutdown: func(context.Context) error { return nil }}
}
