package transport

import (
	"net/http"
	"testing"
)

// Whatever a service asks for by Retry-After, it is a time to wait.
func FuzzRetryAfter(f *testing.F) {
	for _, value := range []string{"", "0", "2", "-1", "99999999999999999999", "2147483647", "Sat, 01 Jan 2000 00:00:03 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "soon"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		resp := &http.Response{Header: http.Header{"Retry-After": {value}}}
		if d := retryAfter(resp); d < 0 {
			t.Errorf("Retry-After: %q is %v", value, d)
		}
	})
}
