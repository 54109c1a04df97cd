package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/brunt-go/brunt/network/proxy/control"
	"github.com/brunt-go/brunt/network/proxy/statuspage"
)

// serveProxies is the daemon, until ctx ends.
func (a *app) serveProxies(ctx context.Context, s *daemonSettings) error {
	settings, err := s.settings()
	if err != nil {
		return usage(err)
	}
	log, err := a.daemonLog()
	if err != nil {
		return usage(err)
	}
	specs, err := readProxies(s.config, settings.Strict, log)
	if err != nil {
		return usage(err)
	}
	// What is wrong is said before anything is reachable.
	server, err := control.NewServer(settings, control.WithLogger(log))
	if err != nil {
		return usage(err)
	}
	defer closeSoon(server.Close)
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", s.address())
	if err != nil {
		return &statusError{exitFail, fmt.Errorf("%w; does a daemon run there already? --port listens elsewhere", err)}
	}
	l = keepSpares(l)
	defer l.Close()
	if done, err := server.Populate("", specs, false); err != nil {
		return &statusError{exitFail, fmt.Errorf("%s: %w", s.config, ofProxy(specs, len(done), err))}
	}
	fmt.Fprintf(a.stdout, "brunt proxy listens on http://%s\nstatus page http://%s/ui\nseed %d\n", l.Addr(), visitable(l.Addr()), server.Seed())
	for _, p := range server.All() {
		fmt.Fprintf(a.stdout, "proxy %s: %s -> %s\n", p.Name, p.Listen, p.Upstream)
	}
	return serveAPI(ctx, l, a.daemonHandler(server, s))
}

// visitable is an address to listen on as one that a browser of this machine can go
// to: all addresses of the machine are none.
func visitable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", tcp.Port)
	}
	return a.String()
}

// goodbye is how long the daemon waits for its connections when it ends, which it
// does within a second.
const goodbye = 750 * time.Millisecond

// closeSoon calls f and waits for it as long as goodbye. What is left then,
// on a machine that is busy, ends with the process.
func closeSoon(f func()) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		f()
	}()
	select {
	case <-over:
	case <-time.After(goodbye):
	}
}

// daemonHandler is all that the daemon answers.
func (a *app) daemonHandler(server *control.Server, s *daemonSettings) http.Handler {
	mux := http.NewServeMux()
	api := server.Handler()
	mux.Handle("/", api)
	if s.proxyMetrics || s.runtimeMetrics {
		mux.Handle("/metrics", server.Guard(metricsHandler(server, s.proxyMetrics, s.runtimeMetrics)))
	}
	ui := server.Guard(statuspage.Handler(server))
	mux.Handle("/ui", ui)
	mux.Handle("/ui/", ui)
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && control.IsBrowser(r) {
			ui.ServeHTTP(w, r) // guarded as what it leads to
			return
		}
		api.ServeHTTP(w, r)
	})
	return mux
}

// serveAPI serves until ctx ends, and is over at once then.
func serveAPI(ctx context.Context, l net.Listener, h http.Handler) error {
	api := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 15 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
	}
	defer context.AfterFunc(ctx, func() { api.Close() })()
	if err := api.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return &statusError{exitFail, err}
	}
	return nil
}

// readProxies reads a configuration file, if there is one.
func readProxies(path string, strict bool, log *slog.Logger) ([]control.ProxySpec, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	specs, warnings, err := control.ParseConfig(data, strict)
	if err != nil {
		return nil, inFile(path, err)
	}
	for _, w := range warnings {
		log.Warn("ignored in the configuration file", "file", path, "what", w)
	}
	warnOfPorts(specs, ephemeralPorts(), log)
	return specs, nil
}

// inFile is what is wrong with a file of proxies, as "file:line:column: what" where
// err knows them. There is a request's body only where there was a request.
func inFile(path string, err error) error {
	text := strings.ReplaceAll(err.Error(), "bad request body: ", "")
	if text[0] < '0' || text[0] > '9' {
		text = " " + text
	}
	return fmt.Errorf("%s:%s", path, text)
}

// daemonLog logs as JSON. LOG_LEVEL says what, in toxiproxy-server's words and
// in any case.
func (a *app) daemonLog() (*slog.Logger, error) {
	level := slog.LevelInfo
	switch word := os.Getenv("LOG_LEVEL"); strings.ToLower(word) {
	case "trace", "debug":
		level = slog.LevelDebug
	case "", "info":
	case "warn", "warning":
		level = slog.LevelWarn
	case "error", "fatal", "panic":
		level = slog.LevelError
	case "disabled":
		return slog.New(slog.DiscardHandler), nil
	default:
		return nil, fmt.Errorf("LOG_LEVEL=%.50q, want one of trace, debug, info, warn, error, fatal, panic, disabled", word)
	}
	if a.verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewJSONHandler(a.stderr, &slog.HandlerOptions{Level: level})), nil
}
