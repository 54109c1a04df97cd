// Package brunt breaks one request, one connection or one packet on purpose,
// and proves with evidence whether the service bore it: that the timeout fired,
// the retry was made, the breaker opened, the fallback answered, and that all of
// it ended when the fault did.
//
// The packages below are grouped by what they are for:
//
//   - [github.com/brunt-go/brunt/fit] and [github.com/brunt-go/brunt/fault] let one
//     request carry its own faults, through HTTP clients, databases and any call;
//   - [github.com/brunt-go/brunt/network/proxy/httpproxy] breaks HTTP requests
//     on their way between two services, [github.com/brunt-go/brunt/network/toxic]
//     connections, and [github.com/brunt-go/brunt/network/memnet] is a network in
//     memory for tests in fake time;
//   - [github.com/brunt-go/brunt/judge/experiment] runs load and faults in arms
//     and reaches a verdict; judge/ledger holds what happened, judge/oracle says
//     what it means, judge/report prints it;
//   - judge/planfile, a module of its own, reads the experiment file;
//   - cmd/brunt, a module of its own, is the one binary.
//
// docs/glossary.md defines each word once, ARCHITECTURE.md says how data flows.
package brunt
