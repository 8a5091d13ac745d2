package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Report is the result of a run: -json writes it.
type Report struct {
	Suite    string   `json:"suite"`
	Seed     uint64   `json:"seed"`
	Packages []*Score `json:"packages"`
	Wrong    []string `json:"wrong,omitempty"` // reasons that are out of date
}

// Score is the result for one package. Mutants that do not compile are counted only in
// Unbuilt.
type Score struct {
	Package   string         `json:"package"`
	Exist     int            `json:"exist"` // of which a sample may have run
	Unbuilt   int            `json:"unbuilt"`
	Run       int            `json:"run"`
	Killed    int            `json:"killed"` // time-outs included
	Timeouts  int            `json:"timeouts"`
	By        map[string]int `json:"by"` // killed, by step
	Survivors []Survivor     `json:"survivors"`
}

// Survivor is a mutant that no test killed.
type Survivor struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	Number   int    `json:"number,omitempty"` // among those with the same text
	Operator string `json:"operator"`
	Before   string `json:"before"`
	After    string `json:"after"`
	Reason   string `json:"reason,omitempty"`
}

// add counts the verdict on m.
func (s *Score) add(m *mutant, v verdict, reason string) {
	switch {
	case v.Unbuilt:
		s.Unbuilt++
		return
	case v.Killer != "":
		s.Killed++
		s.By[v.Killer]++
	default:
		before, after := m.diff()
		s.Survivors = append(s.Survivors, Survivor{m.file.name, m.line(), m.function, m.nth, m.operator, before, after, reason})
	}
	s.Run++
	if v.Timeout {
		s.Timeouts++
	}
}

// explained returns how many survivors have a reason.
func (s *Score) explained() int {
	n := 0
	for _, v := range s.Survivors {
		if v.Reason != "" {
			n++
		}
	}
	return n
}

// percent returns n as a percentage of all.
func percent(n, all int) float64 { return 100 * float64(n) / float64(all) }

// ran returns the number of mutants that were run.
func (r *Report) ran() int {
	n := 0
	for _, s := range r.Packages {
		n += s.Run
	}
	return n
}

// few is how many mutants of a package say nothing about it by themselves.
const few = 10

// Least returns the smallest percentage of mutants that are killed or have a reason to
// survive: that of all packages together, and of each of which enough were run. It is 0 if
// none was.
func (r *Report) Least() float64 {
	if r.ran() == 0 {
		return 0
	}
	killed, least := 0, 100.0
	for _, s := range r.Packages {
		killed += s.Killed + s.explained()
		if s.Run >= few {
			least = min(least, percent(s.Killed+s.explained(), s.Run))
		}
	}
	return min(least, percent(killed, r.ran()))
}

// WriteJSON writes r as JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// WriteText writes r for people.
func (r *Report) WriteText(w io.Writer) error {
	for _, p := range r.Packages {
		slices.SortFunc(p.Survivors, func(a, b Survivor) int { return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line) })
		for _, s := range p.Survivors {
			function := s.Function
			if s.Number > 0 {
				function += fmt.Sprintf(" #%d", s.Number)
			}
			fmt.Fprintf(w, "%s:%d: %s, %s\n\t- %s\n\t+ %s\n", s.File, s.Line, function, s.Operator, s.Before, s.After)
			if s.Reason != "" {
				fmt.Fprintf(w, "\t  %s\n", s.Reason)
			}
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\npackage\tmutants\trun\tkilled\tof them late\tsurvive\twith a reason\tscore\t\n")
	for _, p := range r.Packages {
		score := "–"
		if p.Run > 0 {
			score = fmt.Sprintf("%.1f %%", percent(p.Killed, p.Run))
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n", p.Package, p.Exist, p.Run, p.Killed, p.Timeouts,
			len(p.Survivors), p.explained(), score)
	}
	t.Flush()
	for _, p := range r.Packages {
		steps := make([]string, 0, len(p.By))
		for s := range p.By {
			steps = append(steps, s)
		}
		slices.Sort(steps)
		fmt.Fprintf(w, "%s: %d do not compile; killed", p.Package, p.Unbuilt)
		for _, s := range steps {
			fmt.Fprintf(w, " %s %d", s, p.By[s])
		}
		fmt.Fprintln(w)
	}
	for _, line := range r.Wrong {
		fmt.Fprintln(w, line)
	}
	_, err := fmt.Fprintln(w)
	return err
}
