// Package proxy is a TCP proxy that breaks connections on purpose: it listens,
// dials an upstream for each connection, and carries bytes through the toxics of
// package toxic.
//
//	p, err := proxy.New(settings)
//	err = p.Start()
//	err = p.Add(toxic.NewSpec("slow", toxic.Downstream, &toxic.Latency{Latency: 100 * time.Millisecond}))
//	...
//	p.Close()
//
// Nothing a peer does, or leaves undone, holds up another connection or a call on
// a Proxy: connections are dialled side by side, and no call waits for one. Only
// Close waits, for what Stop has ended.
//
// # Locks
//
// Proxy.change is held for the whole of a call that changes the proxy, so changes
// come one after another; it may be held while a host name is looked up. Proxy.mu
// guards the fields, is held for moments, and is taken after change. Neither is
// held during I/O with a peer. Locks of package toxic are taken after both, and after
// Proxy.admission, which keeps connections in the order they were accepted.
//
// Package control keeps many proxies and lets other programs drive them.
package proxy
