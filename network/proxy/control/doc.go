// Package control keeps proxies and lets other programs drive them over HTTP: the
// API of Toxiproxy 2.12, which its clients in every language speak, and more.
//
//	s, err := control.NewServer(control.DefaultSettings())
//	go http.ListenAndServe("localhost:8474", s.Handler())
//
// What is more than Toxiproxy's stands in fields and routes of its own:
//
//   - a lease: what was made with "lease":"30s" is gone when nobody renews it;
//   - a session: the whole API again under /sessions/NAME, with names of its own;
//   - counters, connections and events, also while connections are open;
//   - a token, and refusal of what a browser sends from another site.
//
// A Server in Go's own process needs no HTTP; a Client speaks to one elsewhere.
//
// # Locks
//
// Server.mu guards the lists and is held for moments: never while a proxy is
// called, an address looked up or anything sent. While a proxy is made or removed,
// nothing is locked: who wants its name waits until that is over.
package control
