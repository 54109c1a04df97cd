//go:build !unix

package experiment

import "errors"

func setPriority(int) error { return errors.ErrUnsupported }
