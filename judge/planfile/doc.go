// Package planfile reads the experiment file: YAML, checked against a JSON
// Schema, with expressions in CEL. [Read] returns what the file describes as an
// [experiment.Experiment], or [Errors] that say, for everything that is wrong at
// once, where it stands and what was expected there.
//
// A file passes four gates, and each reports only what none before it has:
//
//	bytes -> nodes       yaml.go, node.go   syntax, sizes, keys, anchors
//	nodes -> schema      schema.go          structure: names, types, bounds
//	nodes -> experiment  read.go, ...       contents: units, expressions, texts
//	experiment           experiment.Check   what only makes sense together
//
// The file may come from anywhere: its size and depth, the number of its nodes,
// the texts it fills in and the cost of its expressions are bounded.
package planfile
