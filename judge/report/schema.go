package report

import _ "embed" // for the schemas

//go:embed run.schema.json
var runSchema string

//go:embed calibrate.schema.json
var calibrateSchema string

// RunSchema is the JSON Schema of a run's JSON.
func RunSchema() []byte { return []byte(runSchema) }

// CalibrateSchema is the JSON Schema of a calibration's JSON.
func CalibrateSchema() []byte { return []byte(calibrateSchema) }
