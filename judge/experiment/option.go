package experiment

import (
	"context"
	"log/slog"
	"net"
	"os"
	"time"
)

// Network is where an experiment's parts listen and dial.
type Network interface {
	Listen(network, address string) (net.Listener, error)
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Option gives a run a collaborator. Of several of a kind the last one wins.
type Option interface{ apply(*runner) }

type optionFunc func(*runner)

func (f optionFunc) apply(r *runner) { f(r) }

// WithNetwork runs the experiment over n, for example in memory. Commands are
// started on the machine's own network all the same. Default: the machine's.
func WithNetwork(n Network) Option {
	return optionFunc(func(r *runner) {
		if n != nil {
			r.network = n
		}
	})
}

// WithLogger logs the run's course to l. Default: nothing is logged.
func WithLogger(l *slog.Logger) Option {
	return optionFunc(func(r *runner) {
		if l != nil {
			r.log = l
		}
	})
}

// WithProgress calls f as the run goes on, from several goroutines at once. It
// must not block. Default: nothing is called.
func WithProgress(f func(Progress)) Option {
	return optionFunc(func(r *runner) {
		if f != nil {
			r.progress = f
		}
	})
}

// WithExecutable makes the word "brunt" at the start of a command mean the
// program at path, run under that name. Default: it is looked up like any other.
func WithExecutable(path string) Option {
	return optionFunc(func(r *runner) { r.executable = path })
}

// WithNice gives this process and the services it starts the priority nice, from
// -20 (highest) to 19, so that busy neighbours are not taken for faults. Where
// that is not allowed, as it is to root alone, the priority stays as it is.
// Default: it stays as it is.
func WithNice(nice int) Option {
	return optionFunc(func(r *runner) { r.nice = nice })
}

// Progress is how far a run is.
type Progress struct {
	// Variant is the variant being calibrated, or "".
	Variant string
	// Arm is the arm being run.
	Arm string
	// Done of Total calls have ended.
	Done, Total int
	// Injected is how many requests have been broken in this arm.
	Injected int
	// Finished says that the arm is over; Result is then what it showed.
	Finished bool
	Result   *Arm
}

// machine is the machine's own network.
type machine struct{ net.Dialer }

func (*machine) Listen(network, address string) (net.Listener, error) {
	return new(net.ListenConfig).Listen(context.Background(), network, address)
}

func newRunner(e Experiment, opts []Option) *runner {
	r := &runner{
		experiment: e,
		network:    &machine{net.Dialer{Timeout: 10 * time.Second}},
		log:        slog.New(slog.DiscardHandler),
		progress:   func(Progress) {},
		environ:    os.Environ(),
	}
	for _, o := range opts {
		o.apply(r)
	}
	return r
}
