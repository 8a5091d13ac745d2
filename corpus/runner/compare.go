package runner

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/table"
)

// Saved is a report that was read.
type Saved struct{ reportJSON }

// ReadReport reads a report in JSON, as [Report.WriteJSON] writes it.
func ReadReport(in io.Reader) (*Saved, error) {
	var one Saved
	err := json.NewDecoder(in).Decode(&one.reportJSON)
	if err != nil || one.Implementation.Name == "" || one.Checks == nil {
		return nil, errors.New("not a report of conform --report json")
	}
	return &one, nil
}

// Compare writes what differs between reports: their outcomes, and the checks that do not have the
// same status everywhere. The text of implementations is shown, not interpreted.
func Compare(out io.Writer, markdown bool, reports ...*Saved) error {
	show, name := oneLine, oneLine
	if markdown {
		show, name = plain, cell
	}
	var rows [][]string
	row := func(head string, of func(r *Saved) string) {
		cells := []string{head}
		for _, r := range reports {
			cells = append(cells, show(of(r)))
		}
		rows = append(rows, cells)
	}
	row("", func(r *Saved) string { return r.Implementation.Name + " " + r.Implementation.Version })
	row("outcome", func(r *Saved) string { return cmp.Or(r.Outcome, "-") })
	for _, level := range []string{corpus.Core, corpus.Extended} {
		row(level, func(r *Saved) string { return cmp.Or(r.Levels[level].String(), "-") })
	}
	row("streaming", func(r *Saved) string { return r.Streaming.words() })
	row("cases", func(r *Saved) string { return "version " + r.Corpus })

	var names []string
	statuses := map[string][]Status{} // in each report, "" if it has no such check
	for i, r := range reports {
		for _, c := range r.Checks {
			name := c.Op + " " + c.ID
			if statuses[name] == nil {
				names, statuses[name] = append(names, name), make([]Status, len(reports))
			}
			statuses[name][i] = c.Status
		}
	}
	same := 0
	for _, check := range names {
		if len(slices.Compact(slices.Clone(statuses[check]))) == 1 {
			same++
			continue
		}
		cells := []string{name(check)}
		for _, status := range statuses[check] {
			cells = append(cells, cmp.Or(status.words(), "-"))
		}
		rows = append(rows, cells)
	}
	_, err := fmt.Fprintf(out, "%s\n%d checks have the same outcome everywhere.\n",
		table.Align(rows, markdown, nil), same)
	return err
}
