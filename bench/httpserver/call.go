package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"
)

// running is a server.
type running struct {
	addr string
	stop func()
}

// bare serves handler by an http.Server that has the same timeouts and no more.
func bare(handler http.Handler, config *tls.Config) (*running, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is there at once
	if err != nil {
		return nil, err
	}
	s := settings(config)
	server := &http.Server{
		Handler: handler, TLSConfig: config.Clone(),
		ReadHeaderTimeout: s.ReadHeaderTimeout, ReadTimeout: s.ReadTimeout, WriteTimeout: s.WriteTimeout, IdleTimeout: s.IdleTimeout,
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.ServeTLS(l, "", "") // that it was closed
	}()
	return &running{l.Addr().String(), func() { server.Close(); <-ended }}, nil
}

// caller makes calls on one connection.
type caller struct {
	http *http.Client
	url  string
}

func newClient(addr, protocol string, roots *x509.CertPool) caller {
	return caller{&http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots},
		ForceAttemptHTTP2: protocol == "h2",
	}}, "https://" + addr + "/"}
}

func (c caller) call() error {
	resp, err := c.http.Get(c.url) //nolint:noctx // it ends by itself
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// pair is the times of two ways to do the same, round by round and beside each other.
type pair struct {
	rounds [2][]float64 // seconds for a call
}

// turns has a and b take turns. The machine's moods then hit both the same.
func turns(rounds, calls int, a, b func() error) (pair, error) {
	var p pair
	both := [2]func() error{a, b}
	for round := range rounds {
		for i := range both {
			who := (i + round) % 2 // neither always goes first
			began := time.Now()
			for range calls {
				if err := both[who](); err != nil {
					return p, err
				}
			}
			p.rounds[who] = append(p.rounds[who], time.Since(began).Seconds()/float64(calls))
		}
	}
	return p, nil
}

// medians is the time of a call by each, and of the quotients of the rounds the median:
// of what is left of the noise, as much is above it as below.
func (p pair) medians() (a, b time.Duration, ratio float64) {
	quotients := make([]float64, len(p.rounds[0]))
	for i := range quotients {
		quotients[i] = p.rounds[1][i] / p.rounds[0][i]
	}
	return seconds(median(p.rounds[0])), seconds(median(p.rounds[1])), median(quotients)
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

func seconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(time.Nanosecond)
}

// handle is a call of h alone.
func handle(h http.Handler) func() error {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/", nil)
	return func() error {
		h.ServeHTTP(httptest.NewRecorder(), r)
		return nil
	}
}

// certificate is a server's own, and the pool that knows it.
func certificate() (*tls.Config, *x509.CertPool, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}}}, roots, nil
}
