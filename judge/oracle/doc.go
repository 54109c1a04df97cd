// Package oracle holds pure functions from a ledger to findings.
package oracle
