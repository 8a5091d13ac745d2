package lex

import (
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// Calls in other formats than that of the text, which only a Lexer that repairs reads:
//
//   - one that begins with a tag of another format, under the default tags of the wire format
//   - the body of another format after the opener
//   - a function without the tags around it
//
// The body of the other format reads such a call, so strings hide tags as they do there.

// foreign is a call in another format.
type foreign struct {
	syntax *Syntax // nil if there is none
	body   int     // bytes before its body
}

// foreignOpener is an opener that begins such a call, or else a near miss.
type foreignOpener struct {
	format.Opener
	syntaxes []*Syntax
	known    bool // the name must be that of a tool
}

// addForeign adds an opener of another format. Under tags that are not the default ones, calls
// in other formats are not read: whoever agrees on tags does it because those are known to all.
func (s *Syntax) addForeign(o format.Opener) {
	s.starts.add(o.Open)
	o.Close = fold(o.Close)
	opener := foreignOpener{Opener: o}
	if s.tags.Open == format.Wire.Call.Open && s.tags.Close == format.Wire.Call.Close {
		opener.syntaxes = s.foreignSyntaxes(o.Formats)
	}
	s.near.openers = append(s.near.openers, opener)
}

// foreignSyntaxes returns the syntaxes of calls in other formats.
func (s *Syntax) foreignSyntaxes(formats []*format.Format) []*Syntax {
	var list []*Syntax
	for _, f := range formats {
		other := newSyntax(f, Config{Limits: s.limits, NoFastPath: !s.fast, Repair: true})
		other.foreign = true
		list = append(list, other)
	}
	return list
}

// addOthers prepares for calls that begin with the opener but have the body of another format,
// and for functions without an opener.
func (s *Syntax) addOthers(tools []string) {
	f := s.format
	for _, other := range s.foreignSyntaxes(format.Bodies(f.Call)) {
		if other.format.Begin() != f.Begin() {
			s.others = append(s.others, other)
		}
	}
	hasFunction := f.Function.Open != "" && f.Function.Close != ""
	if f.Body == format.Parameters && hasFunction && len(tools) > 0 {
		s.addBare(tools)
	}
}

// addBare prepares for functions without an opener. Their names must be known.
func (s *Syntax) addBare(tools []string) {
	f := s.format
	bare := *f
	bare.Call = format.Tags{Open: f.Function.Open, Close: f.Function.Close}
	bare.Function = format.Marks{End: f.Function.End}
	s.starts.add(bare.Call.Open)
	syntaxes := s.foreignSyntaxes([]*format.Format{&bare})
	syntaxes[0].outer = s
	syntaxes[0].known = newToolNames(tools)
	opener := foreignOpener{syntaxes: syntaxes, known: true}
	opener.Open = bare.Call.Open
	s.near = &near{openers: []foreignOpener{opener}}
}

// body finds the format whose call begins with w. Short reports that more input decides.
func (o *foreignOpener) body(w []byte) (f foreign, short bool) {
	for _, s := range o.syntaxes {
		p := peeker{w: w}
		if p.tag(s.tags.Open) && s.bodyFollows(&p) {
			return foreign{syntax: s, body: p.i}, false
		}
		short = short || p.short
	}
	return f, short
}

// bodyFollows reports whether a body begins, after whitespace or none.
func (s *Syntax) bodyFollows(p *peeker) bool {
	begin := s.format.Begin()
	switch {
	case s.known != nil:
		name := peeker{w: p.w, i: p.i}
		for name.i-p.i < s.known.longest && !lexeme.EndsTagWord(name.peek()) {
			name.i++
		}
		found, _ := s.known.find(p.w[p.i:name.i])
		p.short = name.short
		return found && name.tag(s.format.Function.End)
	case begin == "":
		return p.peek() != 0 && !lexeme.EndsTagWord(p.peek())
	}
	p.spaces()
	if len(s.format.NameKeys) > 0 {
		return p.peek() == '{' || p.peek() == '['
	}
	at := p.i
	found := p.tag(begin)
	p.i = at
	return found
}

// beginForeign begins the call in another format at win[pos].
func (l *Lexer) beginForeign(near nearMiss) {
	i := l.pos
	lineStart := l.before(i) == '\n'
	l.enter()
	l.use(near.syntax)
	l.call.near = near.nearEnd
	l.openCall()
	code := WrongOpener
	if near.syntax.outer != nil {
		code = ""
	}
	l.h.Foreign(code, l.offset(i), lineStart)
	l.beginBody(i + near.body)
}

// otherBody returns the syntax of a call whose opener was read and whose body at win[j] is that
// of another format, or nil.
func (l *Lexer) otherBody(j int) *Syntax {
	for _, s := range l.syntax.others {
		p := peeker{w: l.win, i: j}
		if s.bodyFollows(&p) {
			return s
		}
	}
	return nil
}

// leave follows a fault in a call in another format. Damage between the tags of the text's
// format is skipped as the body that failed has it, so strings hide tags as they do there. A
// function without an opener ends as one with an opener would. Among text in the wire format,
// damage ends where the format of the text ends it, because the tags are not its own.
func (l *Lexer) leave() {
	switch {
	case l.syntax.outer != nil: // the parameters are the same there
		l.use(l.syntax.outer)
	case l.home.format.Body == format.Arguments:
		l.use(l.home)
		l.call.interrupted = inText
	}
	l.call.isNear = true
}

// readAfterFunctionEnd reads the closing tag of a call that has no opener, which may be missing
// too.
func (l *Lexer) readAfterFunctionEnd() {
	end, outer := l.pos+len(l.syntax.tags.Close), l.syntax.outer.tags.Close
	from := max(l.scan, end)
	j := lexeme.SkipSpace(l.win, from)
	l.steps += j - from + 1
	if j <= l.limit() {
		switch matchMark(l.win, j, outer) {
		case lexeme.OpenTag:
			end = j + len(outer)
		case lexeme.SomeTag:
			l.hold(j)
			return
		}
	}
	l.finish(l.pos, end)
}
