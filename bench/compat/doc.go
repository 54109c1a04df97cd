// Package compat tests that what drives Toxiproxy drives brunt: Toxiproxy's own Go
// client and bare HTTP calls are made against both, each in this process, and the
// answers compared field by field.
//
// A difference is listed with its reason, or it fails the test. What brunt adds is
// listed too.
package compat
