package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/page"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

func newBenchDrift() *cobra.Command {
	var findings findings
	cmd := &cobra.Command{
		Use:   "drift",
		Short: "Read the forms in which models drift, and say what becomes of each",
		Long: `drift reads the cases of the corpus that hold what models write instead of
a call, with Salvage and without, and says of each whether the call that was meant
is

  read       as the rules say
  repaired   with an issue that names the repair
  malformed  with a code, so the model learns of it
  noted      delivered differently, with an issue that says so
  silent     text, or delivered differently, and nobody learns of it

With Salvage nothing may be silent and wrong.

Exit codes: 0 when nothing is with Salvage, 1 when something is, 2 when the command
line is wrong.`,
		Example: `  callwire bench drift
  callwire bench drift --markdown`,
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := findings.check(cmd); err != nil {
				return err
			}
			report, err := measureDrift()
			if err != nil {
				return err
			}
			if err := findings.show(cmd, report, report.page(true), report.page(false)); err != nil {
				return err
			}
			if n := report.Salvage[wasSilent]; n > 0 {
				note(cmd.ErrOrStderr(), "%s silent", terminal.Count(n, "form"))
				return errFound
			}
			return nil
		},
	}
	findings.register(cmd)
	return cmd
}

// What comes of a form.
const (
	wasRead      = "read"
	wasRepaired  = "repaired"
	wasMalformed = "malformed"
	wasNoted     = "noted"
	wasSilent    = "silent"
)

var outcomes = []string{wasRead, wasRepaired, wasMalformed, wasNoted, wasSilent}

// driftReport is what comes of each form, and how often each outcome is.
type driftReport struct {
	Forms   []driftForm    `json:"forms"`
	Salvage map[string]int `json:"salvage"`
	Strict  map[string]int `json:"withoutSalvage"`
}

// driftForm is one form, and what comes of it.
type driftForm struct {
	ID      string `json:"id"`
	Form    string `json:"form"`
	Salvage string `json:"salvage"`
	Strict  string `json:"withoutSalvage"`
	How     string `json:"how,omitempty"` // the repairs, or the code
}

// measureDrift reads the cases that say what is meant.
func measureDrift() (*driftReport, error) {
	r := &driftReport{Salvage: map[string]int{}, Strict: map[string]int{}}
	for _, c := range corpus.Cases() {
		if c.Meant == nil || c.Options.Strict {
			continue
		}
		var catalog *sig.Catalog
		if c.Tools != nil {
			var err error
			if catalog, err = sig.Compile(c.Tools); err != nil {
				return nil, fmt.Errorf("%s: %w", c.ID, err)
			}
		}
		f := driftForm{ID: c.ID, Form: string(c.Text)}
		f.Salvage, f.How = outcome(parse.Options{Salvage: true, Code: c.Options.Code}.Text(f.Form, catalog), c.Meant)
		f.Strict, _ = outcome(parse.Text(f.Form, catalog), c.Meant)
		r.Salvage[f.Salvage]++
		r.Strict[f.Strict]++
		r.Forms = append(r.Forms, f)
	}
	return r, nil
}

// outcome tells what came of a form, and how.
func outcome(segs []parse.Segment, meant *corpus.Meant) (what, how string) {
	for i := range segs {
		s := &segs[i]
		switch s.Kind {
		case parse.Malformed:
			return wasMalformed, string(s.Err.Code)
		case parse.Call:
			what, how = wasRead, ""
			for _, is := range s.Issues {
				switch is.Code {
				case lexer.Repaired:
					if what = wasRepaired; how != "" {
						how += ", "
					}
					how += is.Path
				default:
					if what == wasRead {
						what, how = wasNoted, string(is.Code)
					}
				}
			}
			if s.Name != meant.Name || !sameObject(s.Input, []byte(meant.Input)) {
				if what != wasNoted {
					return wasSilent, how
				}
			} else if what == wasNoted {
				what, how = wasRead, ""
			}
			return what, how
		}
	}
	return wasSilent, "text"
}

// sameObject reports whether two JSON texts are the same but for whitespace.
func sameObject(x, y []byte) bool {
	var a, b bytes.Buffer
	return json.Compact(&a, x) == nil && json.Compact(&b, y) == nil && bytes.Equal(a.Bytes(), b.Bytes())
}

// page shows the report: what comes of how many forms, and in full of each.
func (r *driftReport) page(full bool) *page.Page {
	p := new(page.Page)
	sum := page.Table{Head: []string{"forms", "with Salvage", "without"}}
	for _, o := range outcomes {
		sum.Rows = append(sum.Rows, []string{o, fmt.Sprint(r.Salvage[o]), fmt.Sprint(r.Strict[o])})
	}
	sum.Rows = append(sum.Rows, []string{"in all", fmt.Sprint(len(r.Forms)), fmt.Sprint(len(r.Forms))})
	p.Table(sum)
	if full {
		all := page.Table{Head: []string{"form", "with Salvage", "how", "without"}}
		for _, f := range r.Forms {
			all.Rows = append(all.Rows, []string{sig.Visible(f.Form), f.Salvage, f.How, f.Strict})
		}
		p.Table(all)
	}
	return p
}
