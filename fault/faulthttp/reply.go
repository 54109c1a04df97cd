package faulthttp

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/brunt-go/brunt/fit"
)

// reply is the response to req that r stands for, as a server would send it.
func reply(req *http.Request, r fit.Reply) *http.Response {
	resp := &http.Response{
		Status:     fmt.Sprintf("%d %s", r.Status, http.StatusText(r.Status)),
		StatusCode: r.Status,
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     http.Header{},
		Body:       http.NoBody,
		Request:    req,
	}
	if r.Status == http.StatusNoContent || r.Status == http.StatusNotModified {
		return resp // these have no body
	}
	resp.ContentLength = int64(len(r.Body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(r.Body)))
	if r.Body != "" {
		resp.Header.Set("Content-Type", contentType(r.Body))
		if req.Method != http.MethodHead {
			resp.Body = io.NopCloser(strings.NewReader(r.Body))
		}
	}
	return resp
}

func contentType(body string) string {
	if json.Valid([]byte(body)) {
		return "application/json"
	}
	return http.DetectContentType([]byte(body))
}
