// Package experiment breaks a system on purpose and reaches a verdict.
//
// An [Experiment] names the services under test, the proxies between them, a
// load, and faults. [Run] sends the load once without faults, once more to see
// how much two equal runs differ, and once under each fault: each is an arm.
// [Calibrate] does so for variants of the system whose truth is known, and says
// which rule and threshold tell them apart.
//
// A verdict stands on two receipts for each fault: what the injector counted,
// and what an observer saw on the wire. Where they disagree, or nothing was
// broken at all, the verdict is INVALID, however good the answers looked.
//
// Services may be commands or handlers in this process; with an in-memory
// network and testing/synctest a whole experiment runs in fake time.
package experiment
