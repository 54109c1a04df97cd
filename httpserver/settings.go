package httpserver

import (
	"crypto/tls"
	"net/http"
	"time"
)

// Settings configures a Service. Start from [DefaultSettings], and set Addr and TLS.
type Settings struct {
	// Addr is the address the Service listens on, through the Setup's Host. An empty
	// host listens on every name, and port 0 picks a free port, which Service.Addr
	// reports.
	//
	// Default: none. Valid: host:port, with a port from 0 to 65535. Check: CheckAddr.
	Addr string

	// TLS has the certificates, and says whose certificates clients may have. The
	// Service copies it. HTTP/2 is offered, and HTTP/1.1.
	//
	// Default: none. Valid: with a certificate and its key, or with a function that
	// gets one; TLS 1.2 or later; with ClientCAs if ClientAuth verifies. Check:
	// CheckTLS.
	TLS *tls.Config

	// PlainText has the Service speak HTTP/1.1, and HTTP/2 to who begins with it,
	// without TLS. Everyone on the way reads and changes what passes, so it is for a
	// listener that only a proxy on the same machine reaches.
	//
	// Default: false. Valid: true if and only if TLS is nil.
	PlainText bool

	// TrustScenario reports whether the failure scenario that r carries reaches the
	// handler. A request it doesn't trust has the scenario stripped first, and is
	// served. It is asked only about a request that carries a scenario, only when the
	// App has failure injection, and before any of the handler's code, so
	// authentication has not run yet. A panic in it fails the request as one of the
	// handler does. It is set in code, and called concurrently.
	//
	// Default: nil, which trusts no caller.
	TrustScenario func(r *http.Request) bool

	// RemainingHeader is the header field by which a caller says how long it still
	// waits, in whole milliseconds. The request's context has that deadline, and so has
	// what the handler calls with it. At the deadline the context is canceled, as when
	// the caller hangs up. A value that is no positive number of up to 10 digits, or
	// that comes twice, is ignored.
	//
	// Default: X-Envoy-Expected-Rq-Timeout-Ms, which httpclient and Envoy send. Valid: a
	// header's name, or empty, which reads none. Check: CheckRemainingHeader.
	RemainingHeader string

	// ReadHeaderTimeout is how long a client may take for its TLS handshake, and for
	// the header of a request. An HTTP/2 client has until IdleTimeout for the header.
	//
	// Default: 5s. Valid: positive, and not above ReadTimeout. Check: CheckTimeout.
	ReadHeaderTimeout time.Duration

	// ReadTimeout is how long a client may take for a whole request, body included.
	// The handler's read fails with os.ErrDeadlineExceeded then. A handler that waits
	// for more sets another deadline with http.ResponseController.
	//
	// Default: 30s. Valid: positive. Check: CheckTimeout.
	ReadTimeout time.Duration

	// WriteTimeout is how long the handler and the client that reads the answer may
	// take together, from the header on. The connection, or in HTTP/2 the stream, ends
	// then. A handler that streams sets another deadline with http.ResponseController.
	//
	// Default: 60s. Valid: positive. Check: CheckTimeout.
	WriteTimeout time.Duration

	// IdleTimeout is how long a connection may wait for its next request. It should be
	// longer than that of the load balancer in front, or requests get lost in between.
	//
	// Default: 120s. Valid: positive. Check: CheckTimeout.
	IdleTimeout time.Duration

	// MaxHeaderBytes is how large the header of a request may be, request line
	// included. net/http allows 4 KiB more. A larger one is answered with 431.
	//
	// Default: 64 KiB. Valid: positive. Check: CheckMax.
	MaxHeaderBytes int

	// MaxBodyBytes is how large the body of a request may be. One that is announced
	// as larger is answered with 413; of one that turns out to be, the handler's read
	// fails with an *http.MaxBytesError.
	//
	// Default: 10 MiB. Valid: positive. Check: CheckMax.
	MaxBodyBytes int64

	// MaxConnections is how many connections may be open. Further ones wait in the
	// listener until one ends.
	//
	// Default: 10000. Valid: positive. Check: CheckMax.
	MaxConnections int
}

// DefaultSettings returns the defaults. Its Addr is empty and its TLS is nil, which
// [NewService] rejects.
func DefaultSettings() Settings {
	return Settings{
		RemainingHeader:   "X-Envoy-Expected-Rq-Timeout-Ms",
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    64 << 10,
		MaxBodyBytes:      10 << 20,
		MaxConnections:    10_000,
	}
}
