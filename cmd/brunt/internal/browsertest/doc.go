// Package browsertest opens reports and the status page in a real browser and looks at what people
// would see. It has tests only: they need Chromium, which `make test` installs.
package browsertest
