package retry_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/brunt-go/brunt/retry"
)

// A call that is down twice and then answers.
func ExamplePolicy_Do() {
	settings := retry.DefaultSettings()
	settings.BackoffBase = 0 // not to wait in an example
	policy, err := retry.New(settings)
	if err != nil {
		fmt.Println(err)
		return
	}
	attempts := 0
	charge := func(context.Context) error {
		if attempts++; attempts < 3 {
			return errors.New("connection refused")
		}
		return nil
	}
	err = policy.Do(context.Background(), charge, func(error) retry.Decision { return retry.Retry })
	fmt.Println(attempts, err, policy.Budget().Tokens())
	// Output: 3 <nil> 8.2
}
