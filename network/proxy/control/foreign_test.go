package control

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// An answer that is none of the API's is told apart from one that is, and from a
// connection that ended in the middle of it.
func TestClient_foreign(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, body string
		status     int
		foreign    bool
		want       string
	}{
		{"no_json", "charged", 200, true, "answer of the server: invalid character 'c' looking for beginning of value"},
		{"page", "<html>\n" + strings.Repeat("x", 500), 404, true, "answer of the server: <html>"},
		{"long_line", strings.Repeat("x", 500), 404, true, "answer of the server: " + strings.Repeat("x", 200)},
		{"other_error", `{"message":"no"}`, 404, true, `answer of the server: {"message":"no"}`},
		{"empty", "", 405, true, "answer of the server: 405 Method Not Allowed"},
		{"of_the_api", `{"error":"proxy not found","status":404}`, 404, false, "proxy not found"},
		{"cut", `{"a":{"name":`, 200, false, "answer of the server: unexpected EOF"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(row.status)
				_, _ = w.Write([]byte(row.body)) // the client may be gone
			}))
			defer s.Close()
			c, err := NewClient(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Proxies(t.Context())
			var foreign *AnswerError
			if err == nil || err.Error() != row.want || errors.As(err, &foreign) != row.foreign {
				t.Errorf("Proxies = %v, an AnswerError: %t, want %s and %t", err, foreign != nil, row.want, row.foreign)
			}
			var e *Error
			if errors.As(err, &e) != (row.status >= 300) || e != nil && e.Status != row.status {
				t.Errorf("Proxies = %#v, want an *Error if the status is %d", e, row.status)
			}
		})
	}
}

// What a list made before its error is returned with it, and is the client's to keep.
func TestClient_Populate_error(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		c := r.client(WithLease(30 * time.Second))
		list := []ProxySpec{
			{Name: "a", Listen: "a:1", Upstream: "server:80"},
			{Name: "b", Listen: "server:80", Upstream: "server:80"}, // where the upstream is
		}
		made, err := c.Populate(t.Context(), list)
		var e *Error
		if !errors.As(err, &e) || e.Status != 500 || len(made) != 1 || made[0].Name != "a" {
			t.Fatalf("Populate = %+v, %v, want a and 500", made, err)
		}
		time.Sleep(time.Hour)
		if n := r.server.Info().Proxies; n != 1 {
			t.Errorf("an hour later there are %d proxies, want 1 that is renewed", n)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if n := r.server.Info().Proxies; n != 0 {
			t.Errorf("closed, the client leaves %d proxies behind", n)
		}
	})
}
