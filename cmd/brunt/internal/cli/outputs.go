package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/brunt-go/brunt/judge/experiment"
	"github.com/brunt-go/brunt/judge/report"
)

// outputs are the reports asked for, beside the text on stdout.
type outputs struct {
	list []*output
}

// output is one report: a format and where it goes, a file or "-" for stdout.
type output struct {
	format string
	path   string
	write  func(*report.Report, io.Writer) error
	file   *os.File // where it is written until it is whole
	name   string   // what file is then called, or "" when it is written in place
}

// newOutputs returns every format, none asked for.
func newOutputs() *outputs {
	return &outputs{[]*output{
		{format: "json", write: (*report.Report).JSON},
		{format: "junit", write: (*report.Report).JUnit},
		{format: "markdown", write: (*report.Report).Markdown},
		{format: "html", write: (*report.Report).HTML},
	}}
}

// flags adds a flag for each format.
func (o *outputs) flags(c *cobra.Command) {
	for _, f := range o.list {
		c.Flags().StringVar(&f.path, f.format, "", "write the report as "+f.format+" to `FILE`, or - for stdout")
	}
}

// ledger adds a flag for everything that happened in the run whose result will
// be there by the time it is written.
func (o *outputs) ledger(c *cobra.Command, result **experiment.Result) {
	f := &output{format: "ledger", write: func(_ *report.Report, w io.Writer) error { return writeLedger(w, *result) }}
	o.list = append(o.list, f)
	c.Flags().StringVar(&f.path, f.format, "", "write everything that happened to `FILE`, or - for stdout: one JSON object a line, the arms one after another")
}

// html asks for the page.
func (o *outputs) html(path string) {
	for _, f := range o.list {
		if f.format == "html" {
			f.path = path
		}
	}
}

// open makes sure, before anything is run, that every report can be written, and
// that none takes the place of another or of the plan, a file or "".
func (o *outputs) open(plan string) error {
	toStdout := ""
	taken := map[string]string{}
	if plan != "" {
		taken[resolve(plan)] = plan + " is the plan"
	}
	for _, out := range o.list {
		switch out.path {
		case "":
		case "-":
			if toStdout != "" {
				return usage(fmt.Errorf("--%s - and --%s -: stdout takes one report", toStdout, out.format))
			}
			toStdout = out.format
		default:
			name := resolve(out.path)
			if by := taken[name]; by != "" {
				o.discard()
				return usage(fmt.Errorf("--%s %s: cannot be written: %s", out.format, out.path, by))
			}
			if err := out.create(name); err != nil {
				o.discard()
				return usage(fmt.Errorf("--%s %s: cannot be written: %w", out.format, out.path, err))
			}
			if out.name != "" { // a device takes any number
				taken[name] = fmt.Sprintf("--%s writes there", out.format)
			}
		}
	}
	return nil
}

// resolve is the file a path leads to, through links, as far as it exists.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// create opens the file that is to become name. A device or a pipe cannot be
// replaced by a file, and is written in place.
func (o *output) create(name string) error {
	info, err := os.Stat(o.path)
	switch {
	case err == nil && info.IsDir():
		return errors.New("it is a folder")
	case err == nil && !info.Mode().IsRegular():
		o.file, err = os.OpenFile(o.path, os.O_WRONLY, 0)
	default:
		o.name = name
		o.file, err = os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	}
	if path := new(os.PathError); errors.As(err, &path) {
		err = path.Err // the path that was given says more than the one that failed
	}
	return err
}

// discard removes what open made and write did not finish.
func (o *outputs) discard() {
	for _, out := range o.list {
		if out.file != nil {
			out.file.Close()
			if out.name != "" {
				os.Remove(out.file.Name())
			}
			out.file = nil
		}
	}
}

// write writes every report; text goes to stdout unless another report does.
func (o *outputs) write(a *app, r *report.Report) error {
	text := true
	for _, out := range o.list {
		var err error
		switch out.path {
		case "":
			continue
		case "-":
			text = false
			err = out.write(r, a.stdout)
		default:
			err = out.finish(r)
		}
		if err != nil {
			return &statusError{exitOutput, fmt.Errorf("--%s %s: %w", out.format, out.path, err)}
		}
	}
	if !text {
		return nil
	}
	if err := r.Text(a.stdout, report.Style{Color: a.colored(a.stdout)}); err != nil {
		return &statusError{exitOutput, err}
	}
	return nil
}

// finish writes the file whole and only then gives it its name: a reader never
// sees half a report, and a failure leaves the old one alone.
func (o *output) finish(r *report.Report) error {
	if err := o.write(r, o.file); err != nil {
		return err
	}
	if o.name == "" {
		file := o.file
		o.file = nil
		return file.Close()
	}
	// A temporary file is private; a report is meant to be read.
	if err := o.file.Chmod(0o644); err != nil {
		return err
	}
	if err := o.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(o.file.Name(), o.name); err != nil {
		return err
	}
	o.file = nil
	return nil
}
