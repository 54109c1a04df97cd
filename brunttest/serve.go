package brunttest

import (
	"crypto/tls"
	"errors"
	"log"
	"net"
	"net/http"
)

// Serve serves handler at address until the test ends, as a dependency of the App under
// test. What the server complains about goes to the test's log. With a nil config it
// speaks HTTP/1.1 in plain text, else HTTP/2 and HTTP/1.1 over TLS.
func (h *Host) Serve(address string, handler http.Handler, config *tls.Config) {
	h.t.Helper()
	l, err := h.Listen("tcp", address)
	if err != nil {
		h.t.Fatalf("brunttest: Serve: %v", err)
	}
	server := &http.Server{Handler: handler, TLSConfig: config.Clone(), ErrorLog: log.New(h.t.Output(), "", 0)}
	ended := make(chan error, 1)
	go func() { ended <- serve(server, l) }()
	h.t.Cleanup(func() {
		_ = server.Close() // the listener's error would be of no use
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			h.t.Errorf("brunttest: the server at %s: %v", address, err)
		}
	})
}

func serve(server *http.Server, l net.Listener) error {
	if server.TLSConfig == nil {
		return server.Serve(l)
	}
	return server.ServeTLS(l, "", "")
}
