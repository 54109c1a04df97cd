package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Where something else than the daemon answers, a command says so.
func TestRemote_foreign(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name   string
		status int
		body   string
		args   string
		want   string
	}{
		{"text", 200, "charged", "list", "invalid character 'c' looking for beginning of value"},
		{"nothing", 200, "", "list", "EOF"},
		{"other_json", 200, `["a"]`, "list", "json: cannot unmarshal array into Go value of type map[string]control.Proxy"},
		{"page", 404, "<html>\n<h1>Not Found</h1>", "inspect redis", "<html>"},
		{"silent_page", 502, "", "stats", "502 Bad Gateway"},
		{"done_anyhow", 200, "charged", "reset", "200 OK, want 204 No Content"},
		{"no_events", 200, "<html>", "watch", `content type "text/html; charset=utf-8", want text/event-stream`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(row.status)
				_, _ = w.Write([]byte(row.body)) // the client may be gone
			}))
			defer s.Close()
			var stdout, stderr bytes.Buffer
			args := append([]string{"proxy", "--address", s.URL}, strings.Fields(row.args)...)
			status := Run(t.Context(), args, nil, &stdout, &stderr)
			want := "brunt: " + s.URL + " does not answer as a daemon does: " + row.want + "; does brunt proxy listen there? --address says where\n"
			if status != exitFail || stdout.Len() > 0 || stderr.String() != want {
				t.Errorf("brunt %q = %d %q, %q, want %d and %q", args, status, &stdout, &stderr, exitFail, want)
			}
		})
	}
}
