package runner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// Compare reads reports in JSON, as [Report.WriteJSON] writes them, and writes
// what differs between the implementations, as Markdown: the levels of each, and
// the checks that do not have the same status everywhere. Their text is shown, not interpreted.
func Compare(out io.Writer, reports ...io.Reader) error {
	var all []reportJSON
	for i, r := range reports {
		var one reportJSON
		if err := json.NewDecoder(r).Decode(&one); err != nil {
			return fmt.Errorf("report %d is not JSON: %w", i+1, err)
		}
		if one.Implementation.Name == "" || one.Checks == nil {
			return fmt.Errorf("report %d is not one of conform --report json", i+1)
		}
		all = append(all, one)
	}
	var table strings.Builder
	row := func(name string, of func(i int) string) {
		fmt.Fprintf(&table, "| %s|", name)
		for i := range all {
			fmt.Fprintf(&table, " %s |", plain(of(i)))
		}
		table.WriteString("\n")
	}
	row("", func(i int) string {
		return all[i].Implementation.Name + " " + all[i].Implementation.Version
	})
	fmt.Fprintf(&table, "|---|%s\n", strings.Repeat("---|", len(all)))
	for _, level := range []string{corpus.Core, corpus.Extended} {
		row(level+" ", func(i int) string {
			n, counts := 0, all[i].Levels[level]
			for _, count := range counts {
				n += count
			}
			return fmt.Sprintf("%d of %d", counts[Pass]+counts[KnownFailure], n)
		})
	}
	row("streaming ", func(i int) string { return string(all[i].Streaming) })
	row("cases ", func(i int) string { return all[i].Corpus })

	var names []string
	statuses := map[string][]Status{} // in each report, "" if it has no such check
	for i, r := range all {
		for _, c := range r.Checks {
			name := c.Op + " " + c.ID
			if statuses[name] == nil {
				names, statuses[name] = append(names, name), make([]Status, len(all))
			}
			statuses[name][i] = c.Status
		}
	}
	same := 0
	for _, name := range names {
		if len(slices.Compact(slices.Clone(statuses[name]))) == 1 {
			same++
			continue
		}
		row(cell(name)+" ", func(i int) string { return cmp.Or(string(statuses[name][i]), "-") })
	}
	_, err := fmt.Fprintf(out, "%s\n%d checks have the same outcome everywhere.\n", &table, same)
	return err
}
