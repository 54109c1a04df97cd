// Package sample has two small services to break: a catalog that knows books,
// and a loan desk that asks it for one. They are systems under test, so they
// know nothing of brunt: they read their address from the environment, pass a
// caller's trace context on, and guard their calls, or don't.
package sample
