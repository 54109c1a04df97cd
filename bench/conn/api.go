package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// api is a server that speaks Toxiproxy's HTTP API, whoever wrote it.
type api struct {
	base   string
	client *http.Client
}

func newAPI(addr string) *api {
	return &api{base: "http://" + addr, client: &http.Client{
		// The numbers of connections stay small, and none is shared with another server.
		Transport: &http.Transport{MaxIdleConnsPerHost: 4},
		Timeout:   patience,
	}}
}

// proxy is a proxy in the API's words.
type proxy struct {
	Name     string `json:"name"`
	Listen   string `json:"listen"`
	Upstream string `json:"upstream"`
	Enabled  bool   `json:"enabled"`
}

// toxic is a toxic in the API's words.
type toxic struct {
	Name       string         `json:"name"`
	Type       string         `json:"type"`
	Attributes map[string]int `json:"attributes"`
}

// call makes one call. A status that is no success is an error.
func (a *api) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, a.base+path, body)
	if err != nil {
		return err
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, bytes.TrimSpace(data))
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(data, out)
}

// create makes a proxy on a free port and returns where it listens.
func (a *api) create(ctx context.Context, name, upstream string) (string, error) {
	var made proxy
	err := a.call(ctx, http.MethodPost, "/proxies", proxy{name, "127.0.0.1:0", upstream, true}, &made)
	return made.Listen, err
}

// populate makes n proxies at once.
func (a *api) populate(ctx context.Context, n int, upstream string) error {
	list := make([]proxy, n)
	for i := range list {
		list[i] = proxy{"many" + strconv.Itoa(i), "127.0.0.1:0", upstream, true}
	}
	var made struct{ Proxies []proxy }
	if err := a.call(ctx, http.MethodPost, "/populate", list, &made); err != nil {
		return err
	}
	if len(made.Proxies) != n {
		return fmt.Errorf("populated %d proxies, want %d", len(made.Proxies), n)
	}
	return nil
}

func (a *api) add(ctx context.Context, proxy string, t toxic) error {
	return a.call(ctx, http.MethodPost, "/proxies/"+proxy+"/toxics", t, nil)
}

func (a *api) change(ctx context.Context, proxy string, t toxic) error {
	return a.call(ctx, http.MethodPatch, "/proxies/"+proxy+"/toxics/"+t.Name, t, nil)
}

func (a *api) remove(ctx context.Context, proxy, name string) error {
	return a.call(ctx, http.MethodDelete, "/proxies/"+proxy+"/toxics/"+name, nil, nil)
}

// goroutines reads how many the server says it has, or false where it doesn't.
func (a *api) goroutines(ctx context.Context) (int, bool) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+"/metrics", nil)
	if err != nil {
		return 0, false
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return 0, false
	}
	defer resp.Body.Close()
	var text strings.Builder
	if _, err := io.Copy(&text, resp.Body); err != nil {
		return 0, false
	}
	return goroutinesIn(text.String())
}

var goroutinesLine = regexp.MustCompile(`(?m)^go_goroutines (\d+)`)

// goroutinesIn finds the number in Prometheus' text.
func goroutinesIn(metrics string) (int, bool) {
	found := goroutinesLine.FindStringSubmatch(metrics)
	if found == nil {
		return 0, false
	}
	n, err := strconv.Atoi(found[1])
	return n, err == nil
}
