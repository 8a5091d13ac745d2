package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/report"
)

func newBenchReport() *cobra.Command {
	var view reportView
	cmd := &cobra.Command{
		Use: "report RUN…",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("report needs the file of a run, such as callwire-live.jsonl")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if view.asJSON {
				view.folder = ""
			}
			return view.show(cmd, args...)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&view.folder, "out", "o", "callwire-report",
		"write report.md and report.svg into this `folder`")
	view.register(cmd)
	return cmd
}

// reportView is where a report goes, besides standard output.
type reportView struct {
	folder, chart string
	asJSON        bool
}

// register adds the flags for a chart and for JSON.
func (v *reportView) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&v.chart, "chart", "", "draw the success into this SVG `file`")
	cmd.Flags().BoolVarP(&v.asJSON, "json", "j", false, "print the figures as one JSON object")
}

// show shows the report on files of records.
func (v reportView) show(cmd *cobra.Command, names ...string) error {
	r, err := readRuns(names)
	if err != nil {
		return err
	}
	if len(r.Groups) == 0 {
		return fmt.Errorf("%s: no trial is recorded; callwire bench live records some",
			strings.Join(names, ", "))
	}
	files := map[string][]byte{}
	if v.chart != "" {
		files[v.chart] = r.Chart()
	}
	if v.folder != "" {
		if err := makeFolder(v.folder); err != nil {
			return err
		}
		const chart = "report.svg"
		files[filepath.Join(v.folder, "report.md")] = []byte(r.Page(chart))
		files[filepath.Join(v.folder, chart)] = r.Chart()
	}
	for name, text := range files {
		if err := writeTo(name, text); err != nil {
			return err
		}
	}
	if v.folder != "" {
		note(cmd.ErrOrStderr(), "the report is in %s", filepath.Join(v.folder, "report.md"))
	}
	return (&findings{asJSON: v.asJSON}).show(cmd, r, r.Brief())
}

// readRuns returns the report on files of records. Runs that asked for the same trial in different
// ways don't mix.
func readRuns(names []string) (report.Report, error) {
	var records []live.Record
	asked := make(map[live.Key]string) // hashes of prompts
	for _, name := range names {
		some, err := live.ReadLog(name)
		if err != nil {
			return report.Report{}, err
		}
		for _, r := range some {
			if first, ok := asked[r.Key]; ok && first != r.Prompt {
				return report.Report{}, fmt.Errorf("%s and a file before it asked %s differently "+
					"(prompt, tools, seed or limits); report them one by one", name, r.Case)
			}
			asked[r.Key] = r.Prompt
		}
		records = append(records, some...)
	}
	return report.New(records), nil
}
