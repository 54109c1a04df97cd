// Package docstest keeps the docs true: links lead somewhere, paths that are
// named exist, code is code that compiles, and output is output that was seen.
//
// A comment on the line above a block of code says where the block comes from:
//
//	<!-- PATH.go -->         the block is consecutive lines of that Go file, which
//	                         is compiled and tested like any other; how deep the
//	                         lines are indented makes no difference
//	<!-- output of PATH -->  the block's lines are lines of that file, in order; a
//	                         line "..." stands for lines that are left out
//	<!-- file NAME -->       the block is a whole file that the reader writes; the
//	                         line of prose above it names it, as in `NAME`:
//	<!-- change -->          the block says what changes in the last plan of its
//	                         page, key by key
//	<!-- run -->             the block's lines after "$ " are commands, the others
//	                         what they print, "..." again for what is left out
//	<!-- run with a daemon --> the same, while brunt proxy runs on the port of the
//	                         page, in front of a service of the test's own
//
// A block of Go has one of the first three, always. A block of YAML whose keys are
// those of an experiment file is one or, without a version, what changes in the
// last one of its page; a page that has none changes examples/loan/plan.yaml.
//
// The command's own tests, cmd/brunt/internal/cli/docs_test.go, read every plan, try
// every command line that begins with brunt, and do what a page with runs in it
// tells its reader to do. Durations, dates and figures may differ there; words and
// exit statuses may not.
package docstest
