package control

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/toxic"
)

// Error is an error of the API.
type Error struct {
	// Message says what is wrong.
	Message string `json:"error"`
	// Status is the HTTP status that goes with it.
	Status int `json:"status"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func errorf(status int, format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...), Status: status}
}

// badBody is about a request that can't be read, or makes no sense.
func badBody(err error) *Error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return errorf(http.StatusRequestEntityTooLarge, "request body: more than %d bytes", tooLarge.Limit)
	}
	return errorf(http.StatusBadRequest, "bad request body: %s", err)
}

func missing(field string) *Error {
	return errorf(http.StatusBadRequest, "missing required field: %s", field)
}

// errTaken is about a name that another proxy of the session has.
var errTaken = errorf(http.StatusConflict, "proxy already exists")

func noProxy() *Error { return errorf(http.StatusNotFound, "proxy not found") }

func noLease() *Error { return errorf(http.StatusNotFound, "lease not found") }

// asError is err as the API tells it. Texts and statuses of what Toxiproxy knows
// are its own.
func asError(err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, toxic.ErrNotFound):
		return errorf(http.StatusNotFound, "toxic not found")
	case errors.Is(err, toxic.ErrExists):
		return errorf(http.StatusConflict, "toxic already exists")
	case errors.Is(err, proxy.ErrClosed): // deleted in that moment
		return noProxy()
	default:
		return errorf(http.StatusInternalServerError, "%s", err)
	}
}
