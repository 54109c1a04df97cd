// Package report writes down what a run or a calibration showed.
//
// [Run] and [Calibrate] make a [Report] of what package experiment returns; its
// methods Text, JSON, JUnit, Markdown and HTML write it. They all write the same
// struct, so the figures agree wherever they are read.
//
// The JSON forms carry the version of their format, [FormatVersion], and have a
// JSON Schema each: [RunSchema] and [CalibrateSchema]. A name that ends in _ns is
// a duration in nanoseconds, as in the files of package ledger; a share goes from
// 0 to 1; null stands for what cannot be known.
//
// Names, messages and outputs come from the system under test and are not
// trusted: every format escapes what it shows, and control characters and
// invisible marks that reorder text are spelt out, so that nothing reaches a
// terminal, a browser or a parser raw. JSON keeps them, as escapes.
package report
