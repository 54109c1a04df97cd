package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/brunt-go/brunt/network/proxy"
)

// Client drives a Server elsewhere. It is strict: the server refuses what it does
// not know. Errors that the server reports are an *Error. It is safe for
// concurrent use.
type Client struct {
	base   string // without a slash at the end
	token  string
	http   *http.Client
	length time.Duration
	keeper *keeper // nil without a lease
}

// ClientOption changes a Client. Of several of a kind the last one wins.
type ClientOption interface{ applyClient(*Client) }

type clientOptionFunc func(*Client)

func (f clientOptionFunc) applyClient(c *Client) { f(c) }

// WithToken sends a token with every request. Default: none.
func WithToken(token string) ClientOption {
	return clientOptionFunc(func(c *Client) { c.token = token })
}

// WithHTTPClient sends requests by h. Default: one with a timeout of 30s, and none
// for Events.
func WithHTTPClient(h *http.Client) ClientOption {
	return clientOptionFunc(func(c *Client) { c.http = h })
}

// WithLease makes what the client creates last for a time only, and renews it
// until the client is closed: when the process is killed instead, it is gone after
// that time. From 1ms to MaxLease. Default: what is created stays.
func WithLease(length time.Duration) ClientOption {
	return clientOptionFunc(func(c *Client) { c.length = length })
}

// WithSession gives the client's proxies names of their own: those of other
// sessions do not collide with them. Default: no session.
func WithSession(name string) ClientOption {
	return clientOptionFunc(func(c *Client) { c.base += "/sessions/" + url.PathEscape(name) })
}

// NewClient returns a Client of the server at an address such as "localhost:8474"
// or "http://localhost:8474". Close must follow.
func NewClient(address string, options ...ClientOption) (*Client, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("address of the server: %w", err)
	}
	if u.Host == "" {
		return nil, fmt.Errorf("address of the server: %q, want one such as localhost:8474", address)
	}
	c := &Client{base: strings.TrimSuffix(u.String(), "/"), http: &http.Client{}}
	for _, o := range options {
		o.applyClient(c)
	}
	if c.length != 0 {
		if c.length < time.Millisecond || c.length > MaxLease {
			return nil, fmt.Errorf("lease: %v, must be from 1ms to %v", c.length, MaxLease)
		}
		c.keeper = newKeeper(c)
	}
	return c, nil
}

// Close removes what the client created with a lease, and ends renewing it.
func (c *Client) Close() error {
	if c.keeper == nil {
		return nil
	}
	return c.keeper.close()
}

// timeout is how long a call may take: the server answers at once, whatever its
// connections do.
const timeout = 30 * time.Second

// call sends in, unless it is nil, and reads the answer into out, unless it is nil.
func (c *Client) call(ctx context.Context, method string, in, out any, path ...string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	response, err := c.send(ctx, method, in, nil, path...)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if out == nil {
		return empty(response)
	}
	return foreign(json.NewDecoder(response.Body).Decode(out))
}

// get is call with the answer as its result.
func get[T any](ctx context.Context, c *Client, method string, in any, path ...string) (T, error) {
	var v T
	err := c.call(ctx, method, in, &v, path...)
	return v, err
}

// send sends a request. The error is the server's if it reports one.
func (c *Client) send(ctx context.Context, method string, in any, query url.Values, path ...string) (*http.Response, error) {
	target := c.base
	for _, p := range path {
		target += "/" + url.PathEscape(p)
	}
	if query == nil {
		query = url.Values{}
	}
	query.Set("strict", "true")
	body := new(bytes.Buffer)
	if in != nil {
		if err := json.NewEncoder(body).Encode(in); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, target+"?"+query.Encode(), body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "brunt")
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	return nil, refusal(response)
}

// root is the client without its session.
func (c *Client) root() *Client {
	root := *c
	root.base, _, _ = strings.Cut(c.base, "/sessions/")
	return &root
}

// Info returns what the server says about itself.
func (c *Client) Info(ctx context.Context) (Info, error) {
	return get[Info](ctx, c.root(), http.MethodGet, nil, "server")
}

// Proxies returns the proxies by name.
func (c *Client) Proxies(ctx context.Context) (map[string]Proxy, error) {
	return get[map[string]Proxy](ctx, c, http.MethodGet, nil, "proxies")
}

// Proxy returns a proxy by its name.
func (c *Client) Proxy(ctx context.Context, name string) (Proxy, error) {
	return get[Proxy](ctx, c, http.MethodGet, nil, "proxies", name)
}

// Create makes a proxy and starts it.
func (c *Client) Create(ctx context.Context, spec ProxySpec) (Proxy, error) {
	if spec.Lease == 0 {
		spec.Lease = Length(c.length)
	}
	var p Proxy
	if err := c.call(ctx, http.MethodPost, spec, &p, "proxies"); err != nil {
		return Proxy{}, err
	}
	c.keep(p.Lease)
	return p, nil
}

// Change changes a proxy. What is empty in the spec stays.
func (c *Client) Change(ctx context.Context, name string, spec ProxySpec) (Proxy, error) {
	return get[Proxy](ctx, c, http.MethodPatch, spec, "proxies", name)
}

// Delete removes a proxy.
func (c *Client) Delete(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodDelete, nil, nil, "proxies", name)
}

// Populate makes every proxy of a list as it says there. After an error it returns the
// proxies that were made before it.
func (c *Client) Populate(ctx context.Context, specs []ProxySpec) ([]Proxy, error) {
	specs = append([]ProxySpec(nil), specs...)
	for i := range specs {
		if specs[i].Lease == 0 {
			specs[i].Lease = Length(c.length)
		}
	}
	var done struct {
		Proxies []Proxy `json:"proxies"`
	}
	err := c.call(ctx, http.MethodPost, specs, &done, "populate")
	var e *Error
	if errors.As(err, &e) {
		done.Proxies = e.before
	}
	for _, p := range done.Proxies {
		c.keep(p.Lease)
	}
	return done.Proxies, err
}

// Reset takes every toxic away and starts every proxy.
func (c *Client) Reset(ctx context.Context) error {
	return c.call(ctx, http.MethodPost, nil, nil, "reset")
}

// Toxics returns a proxy's toxics.
func (c *Client) Toxics(ctx context.Context, proxyName string) ([]Toxic, error) {
	return get[[]Toxic](ctx, c, http.MethodGet, nil, "proxies", proxyName, "toxics")
}

// Toxic returns a toxic by its name.
func (c *Client) Toxic(ctx context.Context, proxyName, name string) (Toxic, error) {
	return get[Toxic](ctx, c, http.MethodGet, nil, "proxies", proxyName, "toxics", name)
}

// AddToxic puts a toxic behind those a proxy has.
func (c *Client) AddToxic(ctx context.Context, proxyName string, spec ToxicSpec) (Toxic, error) {
	if spec.Lease == 0 {
		spec.Lease = Length(c.length)
	}
	var t Toxic
	if err := c.call(ctx, http.MethodPost, spec, &t, "proxies", proxyName, "toxics"); err != nil {
		return Toxic{}, err
	}
	c.keep(t.Lease)
	return t, nil
}

// ChangeToxic changes a toxic, all of it or, on an error, nothing.
func (c *Client) ChangeToxic(ctx context.Context, proxyName, name string, change ToxicChange) (Toxic, error) {
	return get[Toxic](ctx, c, http.MethodPatch, change, "proxies", proxyName, "toxics", name)
}

// RemoveToxic takes a toxic away.
func (c *Client) RemoveToxic(ctx context.Context, proxyName, name string) error {
	return c.call(ctx, http.MethodDelete, nil, nil, "proxies", proxyName, "toxics", name)
}

// Stats returns a proxy's counters.
func (c *Client) Stats(ctx context.Context, proxyName string) (Stats, error) {
	return get[Stats](ctx, c, http.MethodGet, nil, "proxies", proxyName, "stats")
}

// AllStats returns the counters of every proxy of every session, by session and name.
func (c *Client) AllStats(ctx context.Context) ([]Stats, error) {
	return get[[]Stats](ctx, c.root(), http.MethodGet, nil, "stats")
}

// Connections returns the connections of a proxy that are open, and the last of
// those that have ended.
func (c *Client) Connections(ctx context.Context, proxyName string) ([]proxy.Connection, error) {
	return get[[]proxy.Connection](ctx, c, http.MethodGet, nil, "proxies", proxyName, "connections")
}

// Renew makes a lease last its length from now.
func (c *Client) Renew(ctx context.Context, id string) (Lease, error) {
	return get[Lease](ctx, c.root(), http.MethodPost, nil, "leases", id)
}

// Release removes at once what a lease is for.
func (c *Client) Release(ctx context.Context, id string) error {
	return c.root().call(ctx, http.MethodDelete, nil, nil, "leases", id)
}
