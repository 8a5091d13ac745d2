package spec

import (
	"slices"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
)

// A use of a code is one of the ways in which cases have it.
type use struct{ malformed, strict, issue, refused bool }

// kinds names the uses.
func (u use) kinds() (names []string) {
	if u.malformed {
		names = append(names, "malformed")
	}
	if u.issue {
		names = append(names, "issue")
	}
	if u.refused {
		names = append(names, "refusal")
	}
	return names
}

// uses returns how the cases of the corpus use each code.
func (d *document) uses() map[string]use {
	all := map[string]use{}
	note := func(code string, more use) {
		u := all[code]
		all[code] = use{
			u.malformed || more.malformed, u.strict || more.strict,
			u.issue || more.issue, u.refused || more.refused,
		}
	}
	for _, c := range d.Cases {
		for _, e := range c.Want.Events {
			if e.Code != "" {
				note(e.Code, use{strict: c.Options.Strict, malformed: !c.Options.Strict})
			}
			for _, i := range e.Issues {
				note(i.Code, use{issue: true})
			}
		}
		if c.Want.Error != nil {
			note(c.Want.Error.Code, use{refused: true})
		}
	}
	return all
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
