package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/fault/jsonscenario"
)

func (a *app) scenarioCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "scenario",
		Short: "Write the scenario a request carries, or read one and say what it does",
		Long: `A scenario says how one request fails. It travels in the request's baggage header,
in a member whose key your services agreed on. This writes such a header, and
explains one. It speaks the JSON codec, package fault/jsonscenario; a codec of
your own writes its own headers.`,
		Example: `  curl -H "baggage: $(brunt scenario write --key acme.fault --rule 'http:payments:8443 abort')" localhost:8080
  brunt scenario read --key acme.fault 'baggage: acme.fault=...' --point http:payments:8443`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.scenarioWriteCommand(), a.scenarioReadCommand())
	return c
}

// keyFlag adds the flag for the member that carries the scenario. It has no
// default, as the codec has none: a scenario under a key nobody reads would
// break nothing, and look like a service that bears everything.
func keyFlag(c *cobra.Command, key *string) {
	c.Flags().StringVar(key, "key", "", "`KEY` of the baggage member your services read, such as acme.fault")
	noCompletion(c, "key")
}

// noCompletion keeps the shell from offering files for flags that take none.
func noCompletion(c *cobra.Command, flags ...string) {
	for _, name := range flags {
		// It fails only for a flag that c doesn't have, and help shows they are there.
		_ = c.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// codecOf returns the codec of the services that read the member key.
func codecOf(key string) (jsonscenario.Codec, error) {
	if key == "" {
		return jsonscenario.Codec{}, usage(errors.New("--key: not set, must be the baggage member your services read, such as acme.fault"))
	}
	codec, err := jsonscenario.New(key)
	if err != nil {
		return codec, usage(fmt.Errorf("--key: %w", err))
	}
	return codec, nil
}

// maxInput is more than a hundred times what a header can hold.
const maxInput = 1 << 20

// input reads the file at path, or stdin for "-", and returns what to call it.
// Of a terminal it reads nothing: whoever sits there was not asked to type.
func input(stdin io.Reader, path string) (text, name string, err error) {
	name = path
	if path == "-" {
		name = "stdin"
		if f, ok := stdin.(*os.File); ok && isTerminal(f) {
			return "", name, nil
		}
	} else {
		f, err := os.Open(path)
		if err != nil {
			return "", name, usage(err)
		}
		defer f.Close()
		stdin = f
	}
	data, err := io.ReadAll(io.LimitReader(stdin, maxInput+1))
	if err != nil {
		return "", name, usage(err)
	}
	if len(data) > maxInput {
		return "", name, usage(fmt.Errorf("%s: over %d bytes, which no header can carry", name, maxInput))
	}
	return strings.TrimSpace(string(data)), name, nil
}

// visible is text with what would act on a terminal spelt out: a header may
// come from anyone.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}
