package spec

import "github.com/callwire/callwire/corpus"

// A use is one of the ways in which cases have a code: malformed, strict, issue or refusal.
type use struct{ code, kind string }

// usesOf returns how a case uses codes.
func usesOf(c corpus.Case) (all []use) {
	kind := "malformed"
	if c.Options.Strict {
		kind = "strict"
	}
	for _, e := range c.Want.Events {
		if e.Code != "" {
			all = append(all, use{e.Code, kind})
		}
		for _, i := range e.Issues {
			all = append(all, use{i.Code, "issue"})
		}
	}
	if c.Want.Error != nil {
		all = append(all, use{c.Want.Error.Code, "refusal"})
	}
	return all
}

// uses returns how the cases of the corpus use codes.
func (d *document) uses() map[use]bool {
	all := map[use]bool{}
	for _, c := range d.Cases {
		for _, u := range usesOf(c) {
			all[u] = true
		}
	}
	return all
}

// kinds returns the kinds of uses of a code that the table of codes has.
func (d *document) kinds(code string) (kinds []string) {
	uses := d.uses()
	for _, kind := range []string{"malformed", "issue", "refusal"} {
		if uses[use{code, kind}] {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// countCases returns how many cases of an operation have a level.
func countCases(op, level string) (n int) {
	for _, c := range append(corpus.Cases(), corpus.MoreCases()...) {
		if c.Op == op && c.Level == level {
			n++
		}
	}
	return n
}
