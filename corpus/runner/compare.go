package runner

import (
	"bufio"
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
	w := bufio.NewWriter(out)
	compareLevels(w, all)
	same := compareChecks(w, all)
	fmt.Fprintf(w, "\n%d checks have the same outcome everywhere.\n", same)
	return w.Flush()
}

// compareLevels writes the head of the table, and a row for each level.
func compareLevels(w io.Writer, all []reportJSON) {
	fmt.Fprint(w, "| |")
	for i := range all {
		fmt.Fprintf(w, " %s %s |", plain(all[i].Implementation.Name),
			plain(all[i].Implementation.Version))
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---|", len(all)))
	row := func(name string, of func(r *reportJSON) string) {
		fmt.Fprintf(w, "| %s |", name)
		for i := range all {
			fmt.Fprintf(w, " %s |", plain(of(&all[i])))
		}
		fmt.Fprintln(w)
	}
	for _, level := range []string{"core", "extended"} {
		row(level, func(r *reportJSON) string {
			n := 0
			for _, count := range r.Levels[level] {
				n += count
			}
			return fmt.Sprintf("%d of %d", r.Levels[level][Pass]+r.Levels[level][KnownFailure], n)
		})
	}
	row("streaming", func(r *reportJSON) string { return string(r.Streaming) })
	row("cases", func(r *reportJSON) string { return r.Corpus })
}

// compareChecks writes a row for each check that does not have the same status everywhere,
// and returns how many have.
func compareChecks(w io.Writer, all []reportJSON) (same int) {
	status := make([]map[string]Status, len(all))
	var names []string
	known := map[string]bool{}
	for i := range all {
		status[i] = map[string]Status{}
		for _, c := range all[i].Checks {
			name := c.Op + " " + c.ID
			status[i][name] = c.Status
			if !known[name] {
				known[name] = true
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		differ := false
		for i := range all {
			differ = differ || status[i][name] != status[0][name]
		}
		if !differ {
			same++
			continue
		}
		fmt.Fprintf(w, "| %s |", cell(name))
		for i := range all {
			s := status[i][name]
			if s == "" {
				s = "-"
			}
			fmt.Fprintf(w, " %s |", plain(string(s)))
		}
		fmt.Fprintln(w)
	}
	return same
}
