package runner

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"github.com/callwire/callwire/corpus"
)

// WriteText writes the report for a terminal, where the last lines are those that
// are seen: the failures first, then what was counted, and at the very end the
// outcome.
func (r *Report) WriteText(out io.Writer) error {
	w := bufio.NewWriter(out)
	for i := range r.Results {
		if res := &r.Results[i]; res.Status == UnexpectedPass {
			fmt.Fprintf(w, "%s passes, and is listed as known to fail: take it from the list.\n", res.Name())
		}
	}
	writeLinks(w, r.writeGroups(w))
	r.writeSkips(w)
	broken, sound, skipped := r.rulesBySoundness()
	all := append(r.Levels(), broken...)
	fmt.Fprintf(w, "\n%-36s %7s %6s %6s %6s %6s\n", "", "pass", "fail", "skip", "known", "not run")
	for _, t := range all {
		c := t.Count
		fmt.Fprintf(w, "%-36s %7d %6d %6d %6d %6d\n", t.Name, c[Pass], c[Fail]+c[UnexpectedPass], c[Skipped], c[KnownFailure], c[NotRun])
	}
	fmt.Fprintf(w, rulesLine, sound, skipped, len(broken))
	if why := r.ended(); why != "" {
		fmt.Fprintf(w, "%s.\n", why)
	}
	if r.Farewell != "" {
		fmt.Fprintf(w, "At the end: %s.\n", r.Farewell)
	}
	switch r.Streaming() {
	case Proven:
		fmt.Fprintf(w, "Streaming is proven.\n")
	case NotProven:
		fmt.Fprintf(w, "Streaming was not proven: it would be with protocol 2 and the op feed.\n")
	}
	fmt.Fprintf(w, "%d checks, %d answers in %s, cases of version %s.\n", len(r.Results), r.Requests(), r.Elapsed.Round(100*time.Millisecond), corpus.Version)
	fmt.Fprintf(w, "%s %s: %s\n", r.Welcome.Name, r.Welcome.Version, r.outcome())
	return w.Flush()
}
