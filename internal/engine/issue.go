package engine

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// A hostile call could have an issue in every other byte, each with a path as long as the call,
// and a short call can lack a thousand arguments. So a call has at most maxIssues, and a path is
// cut at maxPath bytes. The calls of a message share a budget: an issue costs issueCost and the
// length of its path. The first issue of a call is always reported.
const (
	maxIssues = 1000
	maxPath   = 1000
	issueCost = 50
	maxBudget = 1100000
)

// issues are those of the call being read. Few calls have any, so the list is not reused.
type issues struct {
	list   []Issue
	budget *int // of the message
}

// full reports whether the call can have no more issues.
func (s *issues) full() bool {
	return len(s.list) == maxIssues || *s.budget <= 0 && len(s.list) > 0
}

// add adds an issue if there is room. Once one was dropped, all later ones are.
func (s *issues) add(i Issue) {
	if s.full() {
		return
	}
	*s.budget -= issueCost + len(i.Path)
	if *s.budget >= 0 || len(s.list) == 0 {
		s.list = append(s.list, i)
	}
}

// sort sorts the issues by offset.
func (s *issues) sort() {
	byOffset := func(x, y Issue) int { return cmp.Compare(x.At, y.At) }
	if !slices.IsSortedFunc(s.list, byOffset) {
		slices.SortStableFunc(s.list, byOffset)
	}
}

// issue records an issue with the current value, which does not fit t.
func (d *draft) issue(code lexer.Code, t *sig.Type, at int) {
	if !d.issues.full() {
		d.report(code, string(d.where()), at, t)
	}
}

// report records an issue.
func (d *draft) report(code lexer.Code, path string, at int, t *sig.Type) {
	d.issues.add(Issue{Code: code, Path: path, At: at, Type: t})
	isFinal := code == lexer.Coerced || code == lexer.AmbiguousEscape || code == lexer.Repaired
	if d.config.repair != nil && !isFinal { // another reading could resolve it
		d.wait()
	}
}

// where returns the path of the current value. It is valid until the next call.
func (d *draft) where() []byte {
	p := d.place[:0]
	if d.key < d.keyEnd {
		id := d.open[len(d.open)-1]
		p = d.appendGroupPath(p, id)
		if id != 0 {
			p = append(p, '.')
		}
		p = shorten(appendKey(p, d.out[d.key:d.keyEnd]))
	}
	for i := range d.frames {
		f := &d.frames[i]
		switch {
		case len(p) > maxPath:
		case !f.object:
			p = append(strconv.AppendInt(append(p, '['), int64(f.n-1), 10), ']')
		case f.key < f.keyEnd:
			if len(p) > 0 {
				p = append(p, '.')
			}
			p = appendKey(p, d.out[f.key:f.keyEnd])
		}
	}
	d.place = shorten(p)
	return d.place
}

// appendKey appends the meaning of the JSON string s, or at least as much of it as a path can
// have and one byte more.
func appendKey(dst, s []byte) []byte {
	n := 1
	for units := 0; n < len(s)-1 && units <= maxPath; units++ {
		switch {
		case s[n] != '\\':
			n++
		case s[n+1] == 'u':
			n += 6
		default:
			n += 2
		}
	}
	return lexeme.AppendUnescaped(dst, s[1:n])
}

// shorten cuts a path at maxPath bytes.
func shorten(path []byte) []byte {
	if len(path) <= maxPath {
		return path
	}
	n := maxPath
	for n > 0 && !utf8.RuneStart(path[n]) {
		n--
	}
	return append(path[:n:n], "…"...)
}

// complete writes or reports what an object with the path where lacks at its end. Fill writes a
// field as null.
func (d *draft) complete(m *members, where []byte, at int, fill func(*sig.Field)) {
	where = shorten(where)
	if len(where) > 0 {
		where = append(where, '.')
	}
	for i := range m.typ.Fields {
		f := &m.typ.Fields[i]
		if !f.Required {
			continue
		}
		_, seen := d.find(m, f, keyOf(f))
		// A required property that allows null besides other types is optional to a model.
		canBeNull := f.Type.Restricts() && f.Type.Kinds != sig.Null &&
			fits(f.Type, sig.Null, []byte("null")) == fitsAll
		switch {
		case seen:
		case canBeNull:
			fill(f)
		case !d.issues.full():
			d.report(lexer.MissingArgument, string(append(where, f.Name...)), at, nil)
		}
	}
}
