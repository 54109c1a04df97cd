// Command gotest is two services in one program: a product page, and the reviews
// it asks. Its tests run the plan beside it against both, in fake time; as a
// program it is what the same plan starts:
//
//	gotest reviews
//	gotest page -reviews http://127.0.0.1:9001 -timeout 200ms
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	flags := flag.NewFlagSet("gotest", flag.ExitOnError)
	reviews := flags.String("reviews", "http://127.0.0.1:9001", "URL of the reviews")
	noFallback := flags.Bool("no-fallback", false, "answer 502 when the reviews fail")
	timeout := flags.Duration("timeout", 200*time.Millisecond, "how long the reviews may take")
	if len(os.Args) < 2 {
		log.Fatal("want: gotest reviews, or gotest page [flags]")
	}
	_ = flags.Parse(os.Args[2:]) // ExitOnError
	addr := os.Getenv("LISTEN_ADDR")
	switch os.Args[1] {
	case "reviews":
		log.Fatal(http.ListenAndServe(addr, http.HandlerFunc(Reviews)))
	case "page":
		log.Fatal(http.ListenAndServe(addr, Page{*reviews, *timeout, !*noFallback, http.DefaultClient}))
	default:
		log.Fatal(fmt.Errorf("%q is no service, want reviews or page", os.Args[1]))
	}
}
