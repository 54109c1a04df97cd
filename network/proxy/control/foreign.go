package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// AnswerError is about an answer that is none of the API's: something else listens
// where the server was looked for, or a server without that route.
type AnswerError struct {
	// Err says what is wrong with it; it is an *Error if the status is one of an error.
	Err error
}

// Error returns what is wrong with the answer.
func (e *AnswerError) Error() string { return "answer of the server: " + e.Err.Error() }

// Unwrap returns Err.
func (e *AnswerError) Unwrap() error { return e.Err }

// foreign is an error of reading an answer's JSON, told apart from one of the
// connection it comes by.
func foreign(err error) error {
	var syntax *json.SyntaxError
	var other *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax), errors.As(err, &other), errors.Is(err, io.EOF):
		return &AnswerError{err}
	default:
		return fmt.Errorf("answer of the server: %w", err)
	}
}

// refusal is the error that an answer reports.
func refusal(response *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	var said struct {
		Error

		Proxies []Proxy `json:"proxies"`
	}
	known := json.Unmarshal(text, &said) == nil && said.Message != ""
	e := &Error{Message: said.Message, Status: response.StatusCode, before: said.Proxies}
	if !known {
		// The first line: it may be a page.
		line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		if e.Message = fmt.Sprintf("%.200s", line); line == "" {
			e.Message = response.Status
		}
		return errors.Join(&AnswerError{e}, err)
	}
	return errors.Join(e, err)
}

// empty reports that an answer is not the one without a body.
func empty(response *http.Response) error {
	if response.StatusCode != http.StatusNoContent {
		return &AnswerError{fmt.Errorf("%s, want 204 No Content", response.Status)}
	}
	return nil
}

// streams reports what else than a stream of events an answer is.
func streams(response *http.Response) error {
	kind := response.Header.Get("Content-Type")
	if media, _, _ := mime.ParseMediaType(kind); media != "text/event-stream" {
		return &AnswerError{fmt.Errorf("content type %.50q, want text/event-stream", kind)}
	}
	return nil
}
