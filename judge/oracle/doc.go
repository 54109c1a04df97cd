// Package oracle says what a ledger means. An [Oracle] is a pure function from
// the evidence of one arm to findings: no clock, no goroutine, no I/O, so the same
// ledger always gives the same findings.
//
// Each oracle is a file of its own, and its test holds the mutants it must catch
// (systems with just that defect) beside the healthy twins it must pass.
package oracle
