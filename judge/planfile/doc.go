// Package planfile reads the experiment file: YAML, checked against a JSON
// Schema, with expressions in CEL.
package planfile
