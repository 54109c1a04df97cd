package brunttest

import "net/http"

// HTTPClient returns a client on the machine. Its Transport is an *http.Transport of
// its own, whose TLSClientConfig may be set before the first request; over TLS it speaks
// HTTP/2 to who does. It follows redirects as any http.Client, and has no timeout. Its
// idle connections are closed when the test ends.
func (h *Host) HTTPClient() *http.Client {
	transport := &http.Transport{DialContext: h.DialContext, ForceAttemptHTTP2: true}
	h.network.mu.Lock()
	defer h.network.mu.Unlock()
	h.network.idle = append(h.network.idle, transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}
