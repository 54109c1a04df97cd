// Package health says whether an App is well: a [Monitor] answers for one thing, [And]
// and [Or] put several together, and [Probes] are the two questions an orchestrator
// asks. Package health/httphealth answers them over HTTP.
//
// Liveness is whether the process works at all; one that isn't alive is restarted.
// Readiness is whether it can do its work now; one that isn't ready is sent none.
// What an App depends on belongs to readiness alone, if anywhere: restarting an App
// does not mend its database.
package health
