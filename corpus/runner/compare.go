package runner

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Compare reads reports in JSON, as [Report.WriteJSON] writes them, and writes
// what differs between the implementations, as Markdown: the levels of each, and
// the checks that do not have the same status everywhere. Their text is shown, not interpreted.
func Compare(out io.Writer, reports ...io.Reader) error {
	var all []reportJSON
	for _, r := range reports {
		var one reportJSON
		if err := json.NewDecoder(r).Decode(&one); err != nil {
			return fmt.Errorf("not a report in JSON: %w", err)
		}
		if one.Implementation.Name == "" || one.Checks == nil {
			return fmt.Errorf("not a report of conform --report json")
		}
		all = append(all, one)
	}
	var table strings.Builder
	row := func(name string, of func(r *reportJSON) string) {
		fmt.Fprintf(&table, "| %s|", name)
		for i := range all {
			fmt.Fprintf(&table, " %s |", plain(of(&all[i])))
		}
		table.WriteString("\n")
	}
	row("", func(r *reportJSON) string {
		return r.Implementation.Name + " " + r.Implementation.Version
	})
	fmt.Fprintf(&table, "|---|%s\n", strings.Repeat("---|", len(all)))
	for _, level := range []string{"core", "extended"} {
		row(level+" ", func(r *reportJSON) string {
			n := 0
			for _, count := range r.Levels[level] {
				n += count
			}
			return fmt.Sprintf("%d of %d", r.Levels[level][Pass]+r.Levels[level][KnownFailure], n)
		})
	}
	row("streaming ", func(r *reportJSON) string { return string(r.Streaming) })
	row("cases ", func(r *reportJSON) string { return r.Corpus })
	same := 0
	names, statuses := outcomes(all)
	for _, name := range names {
		if status := statuses[name]; len(status) == len(all) && areEqual(status) {
			same++
			continue
		}
		row(cell(name)+" ", func(r *reportJSON) string {
			if s := statuses[name][r]; s != "" {
				return string(s)
			}
			return "-"
		})
	}
	_, err := fmt.Fprintf(out, "%s\n%d checks have the same outcome everywhere.\n", &table, same)
	return err
}

// outcomes returns the names of all checks, and the status of each in the reports that have it.
func outcomes(all []reportJSON) (names []string, statuses map[string]map[*reportJSON]Status) {
	statuses = map[string]map[*reportJSON]Status{}
	for i := range all {
		for _, c := range all[i].Checks {
			name := c.Op + " " + c.ID
			if statuses[name] == nil {
				statuses[name] = map[*reportJSON]Status{}
				names = append(names, name)
			}
			statuses[name][&all[i]] = c.Status
		}
	}
	return names, statuses
}

// areEqual reports whether all reports have the same status.
func areEqual(status map[*reportJSON]Status) bool {
	different := map[Status]bool{}
	for _, s := range status {
		different[s] = true
	}
	return len(different) == 1
}
