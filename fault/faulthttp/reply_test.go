package faulthttp_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/brunt-go/brunt/fault/faulthttp"
	"github.com/brunt-go/brunt/fit"
)

// X3: the answer is one a server could have sent.
func TestTransport_reply(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, method string
		reply        fit.Reply
		status, kind string
		length       int64
		body         string
	}{
		{"text", http.MethodGet, fit.Reply{Status: 503, Body: "down"}, "503 Service Unavailable", "text/plain; charset=utf-8", 4, "down"},
		{"json", http.MethodGet, fit.Reply{Status: 500, Body: `{"code":"x"}`}, "500 Internal Server Error", "application/json", 12, `{"code":"x"}`},
		{"empty", http.MethodGet, fit.Reply{Status: 429}, "429 Too Many Requests", "", 0, ""},
		{"head", http.MethodHead, fit.Reply{Status: 500, Body: "down"}, "500 Internal Server Error", "text/plain; charset=utf-8", 4, ""},
		{"no_content", http.MethodGet, fit.Reply{Status: 204, Body: "x"}, "204 No Content", "", 0, ""},
		{"unnamed", http.MethodGet, fit.Reply{Status: 599}, "599 ", "", 0, ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			req, err := http.NewRequestWithContext(carrying(t, t.Context(), point, fit.Fault{Reply: row.reply}), row.method, target, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := faulthttp.NewTransport(&tripper{}, injector(t)).RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := io.ReadAll(resp.Body)
			if resp.Status != row.status || resp.Header.Get("Content-Type") != row.kind || resp.ContentLength != row.length || string(got) != row.body {
				t.Errorf("reply %q, %q, %d bytes, %q, want %q, %q, %d, %q",
					resp.Status, resp.Header.Get("Content-Type"), resp.ContentLength, got, row.status, row.kind, row.length, row.body)
			}
		})
	}
}
