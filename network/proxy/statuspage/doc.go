// Package statuspage is the page on which people watch the proxies of a
// control.Server and break connections by hand:
//
//	ui := server.Guard(statuspage.Handler(server))
//	mux.Handle("/ui", ui)
//	mux.Handle("/ui/", ui)
//
// Every view is HTML from the server and every action a form, so that it works
// without a script. With one, live.js, an event stream says when something has
// changed, and the page then takes over what is different in a fresh copy of
// itself: there is one renderer, and it is here.
//
// No view waits for a connection. No GET changes anything; Guard refuses forms
// that a page of another site sends.
package statuspage
