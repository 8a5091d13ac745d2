package lex

import (
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// opener is a tag that begins a call, with what may follow it.
type opener struct {
	format.Opener
	isForeign bool        // a row of [format.Foreign]: without a body it is a near miss
	bodies    []bodyStart // what is right comes first
	names     *toolNames  // of tools that the tag, or a function without an opener, is named after
}

// bodyStart is what may follow an opener. The body of another format is read by the states of that
// format, so strings hide tags as they do there.
type bodyStart struct {
	lead    string // the rest of the opener
	begin   string // what the body begins with, after whitespace or none; "" is a name
	syntax  *Syntax
	isWrong bool // the call is malformed there; begin "" is then a wrong name, or none
}

// found is what begins at a place in text.
type found struct {
	kind    kind
	next    int     // index after its tag: of the body, of a call
	syntax  *Syntax // of a call
	isWrong bool    // a call with a malformed body
	code    Code    // of a call in another format: its fault if it turns out to be malformed
	region  int     // of reasoning
	near    nearEnd
}

// kind is what begins.
type kind uint8

const (
	aCall    kind = iota
	aToolTag      // a tag that is named after a tool
	aBare         // a call without an opener
	aNearMiss
	aRegion // reasoning
	aSection
)

// find looks at win[i], in text. It returns Yes if something begins there, which it describes
// in f, No if nothing does, and Partial if more input decides. In Markdown code, only a
// call begins.
func (l *Lexer) find(i int, f *found) lexeme.Match {
	switch {
	case l.state == inReasoning:
		return l.findEnd(i, f)
	case i+1 == len(l.win) && l.syntax.opens[l.win[i]]: // most often; opener returns the same
		return lexeme.Partial
	}
	m := l.sectionAt(i, f)
	if m != lexeme.No && !l.inCode(i) {
		return m
	}
	m = l.opener(l.syntax, i, f)
	if m != lexeme.No {
		return m
	}
	m = l.reasoningTag(i, false, f)
	if m == lexeme.No {
		m = l.nearMiss(i, f)
	}
	if m != lexeme.No && l.inCode(i) {
		return lexeme.No
	}
	return m
}

// begin begins what was found at win[pos].
func (l *Lexer) begin(f *found) {
	i, lineStart := l.pos, l.before(l.pos) == '\n'
	switch f.kind {
	case aSection:
		l.h.Section(l.win[i:f.next:f.next])
		l.beginText(f.next)
		return
	case aRegion:
		l.beginRegion(f)
		return
	case aToolTag:
		l.use(f.syntax)
		l.beginTool(f.next)
		return
	}
	l.use(f.syntax)
	l.enter()
	l.call.near, l.call.isBare = f.near, f.kind == aBare
	l.openCall()
	switch {
	case f.kind == aNearMiss:
		l.call.isNear = true
		l.failAt(WrongOpener, i, f.next)
		return
	case f.kind == aBare:
		l.h.Foreign("", l.offset(i), lineStart)
	case f.syntax.foreign && f.code == ExpectedName:
		l.h.Foreign(f.code, l.offset(f.next), lineStart)
	case f.syntax.foreign:
		l.h.Foreign(f.code, l.offset(i), lineStart)
	}
	l.beginBody(f.next, f.isWrong)
}

// sectionAt looks for a tag around several calls.
func (l *Lexer) sectionAt(i int, f *found) (m lexeme.Match) {
	for _, tag := range l.syntax.sections {
		l.steps++
		switch lexeme.MatchTag(l.win[i:], tag) {
		case lexeme.Yes:
			*f = found{kind: aSection, next: i + len(tag)}
			return lexeme.Yes
		case lexeme.Partial:
			m = lexeme.Partial
		}
	}
	return m
}

// opener looks for a call with an opener of the formats of a syntax.
func (l *Lexer) opener(s *Syntax, i int, f *found) (m lexeme.Match) {
	for k := range s.openers {
		m = l.openerAt(&s.openers[k], i, f)
		if m != lexeme.No {
			break
		}
	}
	return m
}

// openerAt looks for an opener. It looks at the whitespace after it only as far as that was not
// looked at before.
func (l *Lexer) openerAt(o *opener, i int, f *found) (m lexeme.Match) {
	if o.Open == "" {
		*f = found{kind: aToolTag, syntax: o.bodies[0].syntax}
		f.next, m = l.toolOpener(o.names, l.win, i)
		return m
	}
	end := i + len(o.Open)
	from, limit := end, end+mostSpaces+1
	if !o.isForeign { // nearMiss counts all foreign ones as one step
		l.steps++
		limit = i + l.syntax.Limits.Bytes
		if l.opened == l.offset(end) {
			from = l.spaces - l.base
		}
	}
	switch m = lexeme.MatchTag(l.win[i:], o.Open); {
	case m == lexeme.Partial && end >= limit:
		return lexeme.No
	case m != lexeme.Yes:
		return m
	case o.names != nil:
		return l.bareAt(o, i, f)
	}
	m = lexeme.No
	afterSpace := max(from, lexeme.SkipSpace(l.win[:min(len(l.win), limit)], from))
	l.steps += afterSpace - from + 1
	for k := 0; k < len(o.bodies) && m != lexeme.Partial; k++ { // what comes first may still begin
		b := &o.bodies[k]
		next := 0
		next, m = l.bodyAt(b, end, afterSpace, limit)
		if m == lexeme.Yes {
			*f = found{next: next, syntax: b.syntax, isWrong: b.isWrong, code: ExpectedName}
			if o.isForeign {
				f.code, f.near.closer = WrongOpener, o.Close
			}
			return m
		}
	}
	switch {
	case !o.isForeign && m == lexeme.Partial:
		l.opened, l.spaces = l.offset(end), l.offset(afterSpace)
	case o.isForeign && m == lexeme.No:
		return l.withoutBody(o, end, f)
	}
	return m
}

// bodyAt looks for what may follow an opener, at win[end] or after the whitespace there, before the
// limit. It returns the index of the body.
func (l *Lexer) bodyAt(b *bodyStart, end, afterSpace, limit int) (next int, m lexeme.Match) {
	next = afterSpace
	if b.lead != "" {
		next = end + len(b.lead)
		m = lexeme.MatchTag(l.win[end:], b.lead)
		if m != lexeme.Yes {
			return next, m
		}
	}
	switch {
	case next >= limit:
		return next, lexeme.No
	case next == len(l.win):
		return next, lexeme.Partial
	case b.begin == "" && b.isWrong:
		return next, l.wrongNameAt(b.syntax, next)
	case b.begin == "":
		return next, l.nameAt(&b.syntax.Tags, next)
	}
	return next, lexeme.MatchTag(l.win[next:], b.begin)
}

// withoutBody looks for a near miss: an opener before win[end], after which no body follows.
func (l *Lexer) withoutBody(o *opener, end int, f *found) lexeme.Match {
	p := peeker{w: l.win, i: end}
	if o.Mentioned && !l.callFollows(&p) {
		return p.miss()
	}
	*f = found{kind: aNearMiss, next: end, syntax: l.syntax.members[0]}
	f.near.closer = o.Close
	return lexeme.Yes
}

// nameAt returns Yes if a name begins at win[j], not a tag.
func (l *Lexer) nameAt(tags *lexeme.Tags, j int) lexeme.Match {
	c := l.win[j]
	k := tags.Classes[c]
	switch {
	case k&lexeme.NameStart != 0:
		return lexeme.Yes
	case k&lexeme.BeginsTag == 0 || lexeme.ClassOf(c)&lexeme.NameStart == 0:
		return lexeme.No
	}
	l.steps++
	switch tags.At(l.win[j:]) {
	case lexeme.NoTag:
		return lexeme.Yes
	case lexeme.SomeTag:
		return lexeme.Partial
	}
	return lexeme.No
}

// maxWrongName bounds the bytes of a wrong name, which is looked at again with each chunk.
const maxWrongName = 128

// wrongNameAt returns Yes if the mark after a name follows at win[j], or after a word in which at
// most one byte besides quotes is not that of a name. Without the mark, prose mentions the opener.
func (l *Lexer) wrongNameAt(s *Syntax, j int) lexeme.Match {
	isOdd := false
	for limit := j + maxWrongName; j < limit; j++ {
		l.steps++
		if j == len(l.win) {
			return lexeme.Partial
		}
		m := lexeme.MatchTag(l.win[j:], s.format.Function.End)
		isName := lexeme.ClassOf(l.win[j])&(lexeme.Name|lexeme.StopsSkip) != 0
		if m != lexeme.No || isOdd && !isName {
			return m
		}
		isOdd = isOdd || !isName
	}
	return lexeme.No
}

// mistakes are what the bodies of the known formats with fixed tags begin with. After the opener of
// a format with another kind of body, they begin a malformed call.
var mistakes = []string{"{", "[", "<function=", `<function name="`}

// fences are what a body in JSON begins with if it is in a Markdown fence.
var fences = []string{"```json\n{", "```json\n[", "```\n{", "```\n["}

// bodies returns what may follow the opener. What is right comes first.
func (s *Syntax) bodies() []bodyStart {
	f := s.format
	list := []bodyStart{{begin: f.Begin(), syntax: s}}
	wrong := mistakes
	switch {
	case f.Body == format.Arguments:
		wrong = mistakes[:2]
	case s.Repair && !s.foreign:
		o := format.Opener{Tags: f.Call, Formats: format.Bodies(f.Call)}
		for _, b := range s.foreignBodies(o) {
			if b.syntax.format.Begin() != f.Begin() && slices.Contains(mistakes, b.begin) {
				list = append(list, b)
			}
		}
	}
	if s.Repair && len(f.NameKeys) > 0 {
		wrong = slices.Concat(wrong, fences)
	}
	for _, begin := range wrong {
		if begin != f.Begin() {
			list = append(list, bodyStart{begin: begin, syntax: s, isWrong: true})
		}
	}
	if f.Body == format.Envelope && f.Begin() == "" {
		// Strings hide tags after a wrong name, too: models write an index alone.
		list = append(list, bodyStart{syntax: s, isWrong: true})
	}
	return list
}

// foreignBodies returns the bodies of the formats of an opener.
func (s *Syntax) foreignBodies(o format.Opener) (list []bodyStart) {
	c := Config{Limits: s.Limits, NoFastPath: s.NoFastPath, Repair: true}
	for _, f := range o.Formats {
		b := bodyStart{lead: f.Call.Open[len(o.Open):], begin: f.Begin()}
		b.syntax = newSyntax(f, c, true)
		list = append(list, b)
		if b.begin == "{" {
			b.begin, b.isWrong = "[", true
			list = append(list, b)
		}
	}
	return list
}

// addOpeners adds the openers of several formats. If some share one, what is right in any of them
// goes before what may only be repaired. The order of the formats does not depend on that in which
// they were listed.
func (s *Syntax) addOpeners() {
	for _, right := range []bool{true, false} {
		for _, m := range s.members {
			o := m.openers[0]
			k := slices.IndexFunc(s.openers, func(x opener) bool {
				return x.Open == o.Open && x.names == o.names
			})
			if k < 0 {
				k = len(s.openers)
				s.openers = append(s.openers, opener{Opener: o.Opener, names: o.names})
			}
			if bodies := &s.openers[k].bodies; right {
				*bodies = append(*bodies, o.bodies[0])
			} else {
				*bodies = append(*bodies, o.bodies[1:]...)
			}
		}
	}
}

// addNear adds what is near the opener of the wire format. Tags that begin with another byte take
// as long again to find in prose, so they count only where prose is searched for more than calls.
// Under tags that are not the default ones, calls in other formats are not read: whoever agrees on
// tags does it because those are known to all.
func (s *Syntax) addNear() {
	searched := s.Code || s.Reasoning != format.NoReasoning
	open, wire := s.Tags.Open, format.Wire.Call
	isDefault := open == wire.Open && s.Tags.Close == wire.Close
	if stem, ok := strings.CutSuffix(open, ">"); ok && open[0] == '<' {
		s.stem = strings.ToLower(stem)
		s.starts.add(s.stem)
	}
	for _, o := range format.Foreign {
		if o.Open == open || !searched && o.Open[0] != open[0] {
			continue
		}
		s.starts.add(o.Open)
		row := opener{Opener: o, isForeign: true}
		row.Close = strings.ToLower(o.Close)
		if isDefault {
			row.bodies = s.foreignBodies(o)
		}
		s.foreigners = append(s.foreigners, row)
	}
}

// addBare adds the opener of a function for calls of a known tool without the tags around it.
// As for addNear, those must be tags that all know: other tags were agreed on for safety.
func (s *Syntax) addBare(m *Syntax) {
	f := m.format
	hasFunction := f.Function.Open != "" && f.Function.Close != "" && f.Call.IsKnown()
	if f.Body == format.Parameters && hasFunction && len(s.Tools) > 0 {
		o := opener{isForeign: true, names: newToolNames(s.Tools), bodies: []bodyStart{{syntax: m}}}
		o.Open = f.Function.Open
		s.foreigners = slices.Insert(s.foreigners, 0, o) // before what is near the wire format
		s.starts.add(o.Open)
	}
}

// bareAt looks for the name of a tool in the function at win[i], which has no opener.
func (l *Lexer) bareAt(o *opener, i int, f *found) lexeme.Match {
	p := peeker{w: l.win, i: i + len(o.Open)}
	from := p.i
	for p.i-from < o.names.longest && !lexeme.EndsTagWord(p.peek()) {
		p.i++
	}
	s := o.bodies[0].syntax
	isTool, _ := o.names.find(l.win[from:p.i])
	if isTool && p.tag(s.format.Function.End) {
		*f = found{kind: aBare, next: i, syntax: s}
		return lexeme.Yes
	}
	return p.miss()
}
