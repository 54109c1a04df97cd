// Package brunttest runs whole Apps in a test: their servers, clients, telemetry and
// shutdown, on a network in memory, and inside a testing/synctest bubble in fake time.
//
// A [Host] is a machine on that network. Programs on it listen and dial by name; a
// [Link] between two machines takes toxics while traffic flows. A [CA] issues
// certificates that are valid in fake time. [Start] starts an App as a process with an
// environment and signals of its own, and [Telemetry] records what Apps emit.
//
//	synctest.Test(t, func(t *testing.T) {
//		host := brunttest.NewHost(t)
//		process, status := brunttest.Start(t, Init, brunttest.WithApp(brunt.WithHost(host.Host())))
//		<-host.Listening("orders:8080")
//		resp, err := host.HTTPClient().Get("http://orders:8080/")
//		...
//		process.Signal(syscall.SIGTERM)
//		if code := (<-status).Code(); code != brunt.ExitSuccess { ... }
//	})
//
// Everything is made in the bubble that uses it, or outside any.
//
// Nothing may be left running when the test ends. An App that still runs then is
// stopped; a listener, a connection or a goroutine of an App that is still there fails
// the test and is named.
package brunttest
