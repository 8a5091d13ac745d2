package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/price"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/report"
	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
)

func newBenchReport() *cobra.Command {
	var (
		out, prices, chart string
		asJSON             bool
	)
	cmd := &cobra.Command{
		Use:   "report RUN…",
		Short: "Turn the results of bench live and bench agent into tables and charts",
		Long: `report reads files of records that bench live and bench agent have written,
any number of them, and writes report.md and report.html: success with intervals,
tokens, cost against success, and drift by code. The page needs nothing else and
follows the reader's choice of light or dark. Differences that are not significant,
and figures of scripted models, are marked as such.

Exit codes: 0 when it is written, 2 when a file cannot be read or written, or no
file holds a trial.`,
		Example: `  callwire bench report callwire-live.jsonl callwire-agent.jsonl --out report
  callwire bench report callwire-live.jsonl --prices prices.json --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("report needs the file of a run, as in callwire bench report callwire-live.jsonl")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var table price.Table
			if prices != "" {
				text, err := os.ReadFile(prices)
				if err != nil {
					return fileError(prices, err)
				}
				if table, err = price.Read(text); err != nil {
					return fmt.Errorf("%s: %w", prices, err)
				}
			}
			r, err := readRuns(args, table)
			if err != nil {
				return err
			}
			if len(r.Groups) == 0 {
				return fmt.Errorf("%s: no trial is recorded; callwire bench live and callwire bench agent record some", strings.Join(args, ", "))
			}
			if chart != "" {
				if err := writeChart(r, chart); err != nil {
					return err
				}
			}
			if asJSON {
				return (&findings{asJSON: true}).show(cmd, r, nil, nil)
			}
			if err := writeReport(cmd, r, out); err != nil {
				return err
			}
			return (&findings{}).show(cmd, r, r.Brief(), nil)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", "callwire-report", "write report.md and report.html into this `folder`")
	f.StringVar(&prices, "prices", "", "what tokens cost, a JSON `file`, as in bench live")
	f.StringVar(&chart, "chart", "", "draw the success into this `file`, an SVG for light and dark pages")
	f.BoolVarP(&asJSON, "json", "j", false, "print the figures as one JSON object, and write no report")
	return cmd
}

// writeChart draws success into a file: of single messages, or of tasks where there
// are no messages.
func writeChart(r report.Report, name string) error {
	var b bytes.Buffer
	kind := record.Live
	if !slices.ContainsFunc(r.Groups, func(g report.Group) bool { return g.Kind == kind }) {
		kind = record.Agent
	}
	if err := r.WriteChart(&b, kind); err != nil {
		return err
	}
	return writeTo(name, b.Bytes())
}

// writeReport writes both forms of a report into a folder.
func writeReport(cmd *cobra.Command, r report.Report, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("cannot make the folder %s: %w", folder, loopback.Cause(err))
	}
	var markdown, html bytes.Buffer
	if err := errors.Join(r.Page().WriteMarkdown(&markdown), r.WriteHTML(&html)); err != nil {
		return err
	}
	for name, text := range map[string][]byte{"report.md": markdown.Bytes(), "report.html": html.Bytes()} {
		if err := writeTo(filepath.Join(folder, name), text); err != nil {
			return err
		}
	}
	note(cmd.ErrOrStderr(), "the report is in %s", filepath.Join(folder, "report.html"))
	return nil
}
