//go:build !unix

package control

// limitFiles does nothing where files have no limit.
func limitFiles() {}
