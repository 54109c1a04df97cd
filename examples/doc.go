// Package examples holds one folder for each story; each runs.
package examples
