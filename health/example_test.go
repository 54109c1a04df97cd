package health_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/brunt-go/brunt/health"
)

// An App is ready when its cache is warm and one of its databases answers.
func Example() {
	var warm health.Binary
	primary := health.MonitorFunc(func(context.Context) (bool, error) { return false, errors.New("connection refused") })
	replica := health.MonitorFunc(func(context.Context) (bool, error) { return true, nil })
	probes := health.NewProbes(health.Readiness(health.And(&warm, health.Or(primary, replica))))

	fmt.Println(probes.Readiness.Healthy(context.Background()))
	warm.Set(true)
	fmt.Println(probes.Readiness.Healthy(context.Background()))
	// Output:
	// false <nil>
	// true <nil>
}

func ExampleOr() {
	down := health.MonitorFunc(func(context.Context) (bool, error) { return false, errors.New("connection refused") })
	fmt.Println(health.Or(down, new(health.Binary)).Healthy(context.Background()))
	// Output: false connection refused
}
