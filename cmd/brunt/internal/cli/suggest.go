package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brunt-go/brunt/internal/near"
)

// commandOnly takes a command and nothing else, and names the one that may have
// been meant.
func commandOnly(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return fmt.Errorf("unknown command %q for %q%s", args[0], c.CommandPath(), didYouMean("", args[0], names))
}

// unknownFlag adds to the error of a flag that is not known the one that may
// have been meant.
func unknownFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return fmt.Errorf("%w%s", err, didYouMean("--", unknown.GetSpecifiedName(), names))
}

// didYouMean asks about the name that is nearest to word, or is "".
func didYouMean(prefix, word string, names []string) string {
	guess := near.Word(word, names)
	if guess == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", prefix+guess)
}
