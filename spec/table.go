package spec

import (
	"slices"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
)

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

// isShown reports whether a production shows the token.
func (d *document) isShown(token string) bool {
	return slices.ContainsFunc(d.productions, func(p *production) bool {
		return slices.ContainsFunc(p.Tokens,
			func(t grammar.TokenRule) bool { return t.Name == token })
	})
}

// A level counts the cases of an operation.
type level struct {
	Op             string
	Core, Extended int
}

func levels() (rows []level) {
	for _, c := range append(corpus.Cases(), corpus.MoreCases()...) {
		i := slices.IndexFunc(rows, func(l level) bool { return l.Op == c.Op })
		if i < 0 {
			i = len(rows)
			rows = append(rows, level{Op: c.Op})
		}
		if c.Level == corpus.Core {
			rows[i].Core++
		} else {
			rows[i].Extended++
		}
	}
	return rows
}
