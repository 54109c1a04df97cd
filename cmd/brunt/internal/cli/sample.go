package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/internal/sample"
)

// sampleStop is how long a sample service may take to finish its requests.
const sampleStop = time.Second

func (a *app) sampleCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "sample",
		Short: "Run one of two small services to break",
		Long: `Runs one of two small services that plans can break. They know nothing of brunt:
they listen where LISTEN_ADDR or --listen says, and stop on SIGTERM.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.sampleCatalog(), a.sampleLoan())
	return c
}

func (a *app) sampleCatalog() *cobra.Command {
	s, listen := sample.DefaultCatalogSettings(), ""
	c := &cobra.Command{
		Use:   "catalog",
		Short: "A catalog of books: GET /record?no=K-903&index=17",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !(s.StallShare >= 0 && s.StallShare <= 1) || s.Stall < 0 {
				return usage(fmt.Errorf("--stall-share %v --stall %v, want a share from 0 to 1 and a time >= 0", s.StallShare, s.Stall))
			}
			return a.serveSample(c.Context(), listen, sample.Catalog(s))
		},
	}
	listenFlag(c, &listen, "127.0.0.1:9001")
	c.Flags().Float64Var(&s.StallShare, "stall-share", s.StallShare, "share of the requests that stall, chosen by index")
	c.Flags().DurationVar(&s.Stall, "stall", s.Stall, "how long they stall")
	c.Flags().Uint32Var(&s.Seed, "noise-seed", s.Seed, "seed that chooses them")
	return c
}

func (a *app) sampleLoan() *cobra.Command {
	s, listen, noFallback := sample.DefaultLoanSettings(), "", false
	c := &cobra.Command{
		Use:   "loan",
		Short: "A loan desk that asks the catalog: GET /lend?no=K-903&index=17",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			u, err := url.Parse(s.Catalog)
			if err != nil || u.Scheme == "" || u.Host == "" {
				return usage(fmt.Errorf("--catalog %q, want a URL such as http://127.0.0.1:9001", s.Catalog))
			}
			if s.Timeout <= 0 {
				return usage(fmt.Errorf("--timeout %v, must be > 0", s.Timeout))
			}
			s.Fallback = !noFallback
			return a.serveSample(c.Context(), listen, sample.Loan(s))
		},
	}
	listenFlag(c, &listen, "127.0.0.1:9000")
	c.Flags().StringVar(&s.Catalog, "catalog", "http://127.0.0.1:9001", "URL of the catalog")
	c.Flags().DurationVar(&s.Timeout, "timeout", s.Timeout, "how long a call of the catalog may take")
	c.Flags().BoolVar(&noFallback, "no-fallback", false, "answer 503 when the catalog fails, instead of lending without the record")
	return c
}

func listenFlag(c *cobra.Command, listen *string, fallback string) {
	if env := os.Getenv("LISTEN_ADDR"); env != "" {
		fallback = env
	}
	c.Flags().StringVar(listen, "listen", fallback, "address to listen on; LISTEN_ADDR sets the default")
}

// serveSample serves until ctx ends.
func (a *app) serveSample(ctx context.Context, addr string, h http.Handler) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return &statusError{exitFail, err}
	}
	fmt.Fprintf(a.stderr, "listening on %s\n", l.Addr())
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sampleStop)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
	})
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return &statusError{exitFail, err}
	}
	return nil
}
