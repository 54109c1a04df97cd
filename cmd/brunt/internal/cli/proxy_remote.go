package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/network/proxy/control"
)

// remote is a daemon that runs, and how to speak to it.
type remote struct {
	app       *app
	address   string
	tokenFile string
	session   string
	json      bool
}

const usualAddress = "http://localhost:8474"

func (r *remote) flags(c *cobra.Command) {
	f := c.PersistentFlags()
	f.StringVarP(&r.address, "address", "A", "", "`URL` of the daemon that a command drives (default $BRUNT_PROXY_URL, $TOXIPROXY_URL, "+usualAddress+")")
	f.StringVar(&r.tokenFile, "token-file", "", "`FILE` with the token: the daemon wants it of every request, a command brings it")
	f.StringVar(&r.session, "session", "", "`NAME` of the session whose proxies a command is about")
	f.BoolVar(&r.json, "json", false, "print what a command answers as JSON")
	noCompletion(c, "address", "session")
}

// at is where the daemon is.
func (r *remote) at() string {
	return cmp.Or(r.address, os.Getenv("BRUNT_PROXY_URL"), os.Getenv("TOXIPROXY_URL"), usualAddress)
}

// client is for the daemon.
func (r *remote) client() (*control.Client, error) {
	var options []control.ClientOption
	if r.tokenFile != "" {
		token, err := readToken(r.tokenFile)
		if err != nil {
			return nil, usage(err)
		}
		options = append(options, control.WithToken(token))
	}
	if r.session != "" {
		options = append(options, control.WithSession(r.session))
	}
	c, err := control.NewClient(r.at(), options...)
	if err != nil {
		return nil, usage(err)
	}
	return c, nil
}

// answer is what a command prints.
type answer struct {
	text  string // lines
	hint  string // what to do next, for someone at a terminal
	value any    // what --json prints
}

// command makes what a command does of a function that asks the daemon.
func (r *remote) command(f func(context.Context, *control.Client, []string) (answer, error)) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		client, err := r.client()
		if err != nil {
			return err
		}
		defer func() { _ = client.Close() }() // it has no leases to give back
		a, err := f(c.Context(), client, args)
		if err != nil {
			return r.explain(err)
		}
		return r.print(a)
	}
}

// explain ends a command with what the daemon says, or that it says nothing.
func (r *remote) explain(err error) error {
	var status *statusError
	var refused *control.Error
	var unreached *url.Error
	var foreign *control.AnswerError
	switch {
	case errors.As(err, &status):
		return err
	case errors.As(err, &refused) && refused.Status == http.StatusUnauthorized:
		err = errors.New("the daemon wants its token: give it by --token-file")
	case errors.As(err, &foreign):
		err = fmt.Errorf("%s does not answer as a daemon does: %w; does brunt proxy listen there? --address says where", r.place(), foreign.Err)
	case errors.As(err, &refused):
		// There is a body only to those who wrote one.
		err = errors.New(strings.Replace(err.Error(), "bad request body: ", "", 1))
	case errors.As(err, &unreached):
		err = fmt.Errorf("no answer from %s: %w; is the daemon, brunt proxy, there? --address says where", r.place(), unreached.Err)
	}
	return &statusError{exitFail, err}
}

// place is where the daemon is, without a password.
func (r *remote) place() string {
	u, err := url.Parse(r.at())
	if err != nil {
		return r.at()
	}
	return u.Redacted()
}

func (r *remote) print(a answer) error {
	text := a.text
	if r.json {
		text = encode(a.value, "  ")
	} else if a.hint != "" && isTerminal(r.app.stdout) {
		text += "\nHint: " + a.hint + "\n"
	}
	if _, err := io.WriteString(r.app.stdout, text); err != nil {
		return &statusError{exitOutput, err}
	}
	return nil
}

// encode is v as JSON on lines of its own.
func encode(v any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	_ = e.Encode(v) // what came as JSON can be written as such
	return b.String()
}

// oneProxy takes the name of a proxy.
func oneProxy(_ *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return fmt.Errorf("%d arguments, want one, the name of a proxy", len(args))
	}
	return nil
}

// perhapsProxy takes the name of a proxy, or nothing.
func perhapsProxy(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return oneProxy(c, args)
}

// readToken reads the token out of a file.
func readToken(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	token := string(bytes.TrimSpace(data))
	if token == "" {
		return "", fmt.Errorf("--token-file: %s is empty, want a token in it", path)
	}
	return token, nil
}
