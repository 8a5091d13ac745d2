package main

import (
	"errors"
	"fmt"
	"path/filepath"

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
			records, err := readRuns(args)
			if err != nil {
				return err
			}
			if view.asJSON {
				view.folder = ""
			}
			return view.show(cmd, records)
		},
	}
	cmd.Flags().StringVarP(&view.folder, "out", "o", "callwire-report",
		"write report.md and report.svg into this `folder`")
	view.register(cmd)
	return cmd
}

// readRuns reads files of records. Runs that asked for the same trial in different ways don't mix.
func readRuns(names []string) (all []live.Record, err error) {
	asked := make(map[live.Key]string) // hashes of prompts
	for _, name := range names {
		records, err := live.ReadLog(name)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			if first, ok := asked[r.Key]; ok && first != r.Prompt {
				return nil, fmt.Errorf("%s and a file before it asked %s differently "+
					"(prompt, tools, seed or limits); report them one by one", name, r.Case)
			}
			asked[r.Key] = r.Prompt
		}
		all = append(all, records...)
	}
	return all, nil
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

// show shows the report on records.
func (v reportView) show(cmd *cobra.Command, records []live.Record) error {
	r := report.New(records)
	if len(r.Groups) == 0 {
		return errors.New("no trial is recorded; callwire bench live records some")
	}
	if v.chart != "" {
		if err := writeTo(v.chart, r.Chart()); err != nil {
			return err
		}
	}
	if v.folder != "" {
		const page, chart = "report.md", "report.svg"
		files := map[string][]byte{page: []byte(r.Page(chart)), chart: r.Chart()}
		if err := writeFiles(v.folder, files); err != nil {
			return err
		}
		note(cmd.ErrOrStderr(), "the report is in %s", filepath.Join(v.folder, page))
	}
	return (&findings{asJSON: v.asJSON}).show(cmd, r, r.Page(""))
}
