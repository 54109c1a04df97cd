// Package browsertest opens reports in a real browser and looks at what people
// would see. It has tests only: they need Chromium, which `make test` installs.
package browsertest
