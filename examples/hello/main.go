// Command hello is the smallest service on the runtime: GET / says hello.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/brunt-go/brunt"
	"github.com/brunt-go/brunt/config"
)

func main() {
	brunt.Main(initialize)
}

// initialize reads the settings and returns the Services the App runs.
func initialize(ctx context.Context, s *brunt.Setup) ([]brunt.Service, error) {
	addr, err := config.Env(s.Process.Environment, "HELLO_ADDR").Default("localhost:8080").Read(ctx)
	if err != nil {
		return nil, err
	}
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "hello") })
	return []brunt.Service{&server{host: s.Host, http: http.Server{
		Addr: addr, Handler: hello, ReadHeaderTimeout: 5 * time.Second,
	}}}, nil
}

// server is a Service around an http.Server.
type server struct {
	host brunt.Host
	http http.Server
}

// Serve listens and serves until Shutdown is called.
func (srv *server) Serve(ctx context.Context) error {
	l, err := srv.host.Listen(ctx, "tcp", srv.http.Addr)
	if err != nil {
		return err
	}
	if err := srv.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Shutdown lets the requests under way finish, and drops them when the time is up.
func (srv *server) Shutdown(ctx context.Context) error {
	err := srv.http.Shutdown(ctx)
	if err != nil {
		_ = srv.http.Close()
	}
	return err
}
