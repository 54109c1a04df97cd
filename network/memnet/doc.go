// Package memnet is a TCP-like network in memory, for whole programs under
// fake time.
//
// A [Network] listens and dials as package net does, so a server takes its
// listener and a client its DialContext, and neither knows the difference:
// TLS, HTTP/1.1 and HTTP/2 run over it. Inside a testing/synctest bubble a
// goroutine that waits in Read, Write, Accept or Dial is durably blocked, so
// time moves on by itself and a story of 14 s takes milliseconds and is exact
// to the nanosecond:
//
//	synctest.Test(t, func(t *testing.T) {
//		network := memnet.New()
//		listener, err := network.Listen("tcp", "payments:8080")
//		if err != nil {
//			t.Fatal(err)
//		}
//		defer listener.Close() // nobody ever accepts
//
//		client := &http.Client{
//			Transport: &http.Transport{DialContext: network.DialContext},
//			Timeout:   14 * time.Second,
//		}
//		begin := time.Now()
//		_, err = client.Get("http://payments:8080/")
//		if took := time.Since(begin); took != 14*time.Second {
//			t.Errorf("gave up after %v with %v, want 14s and a deadline", took, err)
//		}
//	})
//
// # Addresses
//
// An address is "host:port" with a port in digits. Hosts are names that need
// no setting up: "payments:8443" is another listener than "orders:8443". The
// hosts "", "localhost", "127.0.0.1", "0.0.0.0", "::1" and "::" all mean one
// host, the machine itself, and read as 127.0.0.1. Names ignore case. Nothing
// is resolved, and nobody listening is always ECONNREFUSED.
//
// Listening on port 0 takes the next free port from 20000 up. Callers have the
// host 127.0.0.1 and ports from 32768 up, in the order of their dials.
//
// # What is as in TCP, and what is not
//
// Bytes arrive at once, in order, through a buffer of fixed size in each
// direction; a full one holds the writer up. Half-close, reset by SetLinger(0),
// deadlines, a bounded backlog and the errors are those of TCP sockets, wrapped
// in *net.OpError. Where operating systems or moments differ, memnet always
// does the same thing:
//
//   - a reset drops what was buffered, so the peer's next Read fails;
//   - a Write after the peer closed fails the first time it is tried;
//   - a Close with bytes unread is an ordinary close and not a reset.
//
// There are no goroutines behind a Network, and a timer exists only while a
// deadline is set. A Network is used inside one bubble, or outside any.
package memnet
