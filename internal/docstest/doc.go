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
//	<!-- file NAME -->       the block is a whole file, which the page's reader
//	                         writes; its page's test writes it too
//
// A block of Go has one of these, always. A block of YAML whose keys are those of
// an experiment file is one, or, without a version, what changes in the last one
// of its page; a page that has none changes examples/loan/plan.yaml. The command's
// own tests read them all, and try every command line that begins with brunt.
package docstest
