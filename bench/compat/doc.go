// Package compat tests brunt against programs that were not written here.
//
// What drives Toxiproxy drives brunt: Toxiproxy's own Go client and bare HTTP calls are
// made against both, each in this process, and the answers compared field by field. A
// difference is listed with its reason, or it fails the test. What brunt adds is
// listed too.
//
// And httpclient calls go-httpbin, a server of slow, failing and odd answers that was not
// written here: over HTTP/1.1 and HTTP/2 on real sockets, with every request counted
// where it comes in.
package compat
