package config_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/brunt-go/brunt/config"
)

type settings struct {
	Payments *url.URL
	Timeout  time.Duration
	Password string
}

// source says where each setting comes from. In an App, environment is
// s.Process.Environment and readFile is s.Host.ReadFile.
func source(environment map[string]string, readFile func(string) ([]byte, error)) config.Value[settings] {
	return config.Struct(func(r *config.Resolver) settings {
		return settings{
			Payments: config.Get(r, config.URL(config.Env(environment, "PAYMENTS_URL")).Required()),
			Timeout: config.Get(r, config.Duration(config.Env(environment, "PAYMENTS_TIMEOUT")).
				Default(5*time.Second).Validate(checkTimeout)),
			Password: config.Get(r, config.Env(environment, "DB_PASSWORD").
				Or(config.File(readFile, "/run/secrets/db_password")).Secret().Required()),
		}
	})
}

// checkTimeout says what is wrong with d, without naming the setting.
func checkTimeout(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%v, must be positive", d)
	}
	return nil
}

func ExampleStruct() {
	environment := map[string]string{"PAYMENTS_URL": "https://payments:8443", "DB_PASSWORD": "hunter2"}
	s, err := source(environment, os.ReadFile).Read(context.Background())
	fmt.Println(s.Payments, s.Timeout, err)
	// Output: https://payments:8443 5s <nil>
}

// Everything that is wrong is said at once.
func ExampleStruct_errors() {
	environment := map[string]string{"PAYMENTS_URL": "payments", "PAYMENTS_TIMEOUT": "0s"}
	absent := func(string) ([]byte, error) { return nil, os.ErrNotExist }
	_, err := source(environment, absent).Read(context.Background())
	fmt.Println(err)
	// Output:
	// PAYMENTS_URL="payments": want a URL such as "https://payments:8443"
	// PAYMENTS_TIMEOUT="0s": must be positive
	// DB_PASSWORD or file /run/secrets/db_password: not set, must be set
}

func ExampleEnv() {
	environment := map[string]string{"GREETING": "hello"}
	fmt.Println(config.Env(environment, "GREETING").Read(context.Background()))
	fmt.Println(config.Env(environment, "NAME").Default("world").Read(context.Background()))
	// Output:
	// hello <nil>
	// world <nil>
}

func ExampleFile() {
	read := func(string) ([]byte, error) { return []byte("abc\n"), nil } // in an App, s.Host.ReadFile
	fmt.Println(config.File(read, "/run/secrets/token").Secret().Read(context.Background()))
	// Output: abc <nil>
}

func ExampleLiteral() {
	fmt.Println(config.Literal(3).Read(context.Background()))
	// Output: 3 <nil>
}

// Any function that reads a text will do.
func ExampleParse() {
	environment := map[string]string{"SINCE": "yesterday"}
	day := func(text string) (time.Time, error) { return time.Parse(time.DateOnly, text) }
	_, err := config.Parse(config.Env(environment, "SINCE"), day).Read(context.Background())
	var e *config.Error
	fmt.Println(errors.As(err, &e), e.Name, e.Value)
	fmt.Println(err)
	// Output:
	// true SINCE yesterday
	// SINCE="yesterday": parsing time "yesterday" as "2006-01-02": cannot parse "yesterday" as "2006"
}

func ExampleDuration() {
	v := config.Duration(config.Env(map[string]string{"TIMEOUT": "5"}, "TIMEOUT"))
	_, err := v.Read(context.Background())
	fmt.Println(err)
	// Output: TIMEOUT="5": want a duration such as "250ms" or "1m30s"
}

// A parser's error repeats what it could not read. Of a secret, it is left out.
func ExampleValue_Secret() {
	v := config.Int(config.Env(map[string]string{"PIN": "hunter2"}, "PIN").Secret())
	_, err := v.Read(context.Background())
	fmt.Println(err)
	// Output: PIN (secret): want a whole number
}
