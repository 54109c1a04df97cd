// Package brunt breaks one request, one connection or one packet on purpose,
// and proves with evidence whether the service bore it: that the timeout fired,
// the retry was made, the breaker opened, the fallback answered, and that all of
// it ended when the fault did.
//
// This package is the runtime: an [App] is what a program needs and the [Service]s it
// runs, and [Main] runs one.
//
//	func main() {
//		brunt.Main(initialize, brunt.WithFaults(faults))
//	}
//
// An App builds its telemetry, then its failure injection, and then calls Init, which
// returns the Services. A signal stops it in good order; its exit status says whether
// it did its work (0), failed (1), or was told something wrong (78). Everything an App
// touches comes to it in its [Setup], so that a test runs the whole of it in memory and
// in fake time. docs/how-to/write-a-service.md shows one.
//
// The packages below are grouped by what they are for. None of them needs the runtime
// but those that are said to:
//
//   - [github.com/brunt-go/brunt/config], [github.com/brunt-go/brunt/telemetry] and
//     [github.com/brunt-go/brunt/health] are what services are made of;
//     [github.com/brunt-go/brunt/job] and health/httphealth are Services of the runtime;
//   - [github.com/brunt-go/brunt/fit] and [github.com/brunt-go/brunt/fault] let one
//     request carry its own faults, through HTTP clients, databases and any call;
//   - [github.com/brunt-go/brunt/network/proxy/httpproxy] breaks HTTP requests
//     on their way between two services, [github.com/brunt-go/brunt/network/proxy]
//     connections, with the toxics of network/toxic; network/proxy/control lets other
//     programs drive it;
//   - [github.com/brunt-go/brunt/brunttest] runs whole Apps in a test, and gives a test a
//     proxy of its own; [github.com/brunt-go/brunt/network/memnet] is the network in
//     memory beneath it, for tests in fake time;
//   - [github.com/brunt-go/brunt/judge/experiment] runs load and faults in arms
//     and reaches a verdict; judge/ledger holds what happened, judge/oracle says
//     what it means, judge/report prints it;
//   - judge/planfile, a module of its own, reads the experiment file;
//   - cmd/brunt, a module of its own, is the one binary.
//
// docs/glossary.md defines each word once, ARCHITECTURE.md says how data flows.
package brunt
