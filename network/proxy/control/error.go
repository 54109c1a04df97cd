package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/brunt-go/brunt/network/proxy"
	"github.com/brunt-go/brunt/network/toxic"
)

// Error is an error of the API.
type Error struct {
	// Message says what is wrong.
	Message string `json:"error"`
	// Status is the HTTP status that goes with it.
	Status int `json:"status"`

	before []Proxy // of a Populate, those made before it
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

// ofType is what JSON says about a value of another type than was expected, in the
// words of Toxiproxy: by the name of what was to be read and not by those of our types.
func ofType(err error, name string) error {
	var t *json.UnmarshalTypeError
	if !errors.As(err, &t) {
		return err
	}
	path := slices.DeleteFunc(strings.Split(t.Field, "."), func(part string) bool {
		return part == "" || unicode.IsUpper(rune(part[0])) // a type that is embedded
	})
	if len(path) == 0 {
		return fmt.Errorf("json: cannot unmarshal %s into Go value of type %s", t.Value, name)
	}
	name = strings.TrimPrefix(name, "[]")
	return fmt.Errorf("json: cannot unmarshal %s into Go struct field %s.%s of type %s", t.Value, name, strings.Join(path, "."), t.Type)
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
