package lex

import (
	"fmt"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/markdown"
)

// Config configures a Lexer.
type Config struct {
	Format        *format.Format // nil means format.Wire
	Limits        Limits
	AllowUnclosed bool // accept a complete body at the end of the message without a closing tag
	NoFastPath    bool // never call Handler.Offer
	Repair        bool // frame calls so that likely mistakes can be read

	Reasoning format.Reasoning
	Code      bool // a call in Markdown code is malformed

	Tools []string // the names of all tools

	// NewFilter returns a Handler for a call whose tags are named after its tool, and whose
	// body is that of f.
	// The Handler pushes to h. It is used until the call ends.
	NewFilter func(h Handler, l *Lexer, f *format.Format) Handler
}

// Syntax is a compiled Config. It does not change, so any number of Lexers may share it.
type Syntax struct {
	format        *format.Format
	limits        Limits
	allowUnclosed bool
	repair        bool
	fast          bool // Handler.Offer may be called if the tags allow it

	reasoning format.Reasoning
	code      bool
	starts    starts   // what may begin in text and in reasoning
	plain     byteSet  // bytes of text that need no closer look
	regions   []region // of reasoning
	near      *near    // nil if near misses are text

	members []*Syntax // of the formats that are read, if there are several

	foreign bool       // of calls among text of another format
	outer   *Syntax    // of the format that such a call is in, if it has no opener
	known   *toolNames // the names that such a call may have
	others  []*Syntax  // of the bodies of other formats

	tags      lexeme.Tags
	offers    bool                   // Handler.Offer may be called
	nameFirst bool                   // a name after the opener begins a call of the wire format
	begins    []string               // what a body begins with; all but the first are mistakes
	sections  []string               // the tags around several calls; nil if there are none
	names     *toolNames             // if tags are named after tools, else nil
	newFilter func(l *Lexer) Handler // between the Lexer and its Handler during a call; or nil

	open, close, last lexeme.Phrase // around tagged parameters, and what ends the last one
}

// bodies are what the bodies of the known formats with fixed tags begin with. After the opener
// of a format with another kind of body, they begin a malformed call.
var bodies = []string{"{", "[", "<function=", `<function name="`}

// fences are what a body in JSON begins with if it is in a Markdown fence.
var fences = []string{"```json\n{", "```json\n[", "```\n{", "```\n["}

// Compile prepares a Config. The error is that of [format.Format.Validate], or reports that
// Reasoning is unknown.
func Compile(c Config) (*Syntax, error) {
	f := c.Format
	if f == nil {
		f = format.Wire
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if c.Reasoning > format.StartedReasoning {
		return nil, fmt.Errorf("lexer: there is no Reasoning(%d)", c.Reasoning)
	}
	set := f.Set()
	s := newSyntax(set[0], c)
	if len(set) > 1 {
		s = &Syntax{
			format: s.format, tags: s.tags, limits: s.limits, repair: c.Repair,
			members: []*Syntax{s},
		}
		for _, other := range set[1:] {
			s.members = append(s.members, newSyntax(other, c))
		}
	}
	s.addStarts(c)
	for i := range 256 {
		b := byte(i)
		if !s.starts.first.has(b) && !markdown.Marks(b) {
			s.plain.add(b)
		}
	}
	return s, nil
}

// newSyntax returns the syntax of calls.
func newSyntax(f *format.Format, c Config) *Syntax {
	s := &Syntax{
		format: f, limits: c.Limits, allowUnclosed: c.AllowUnclosed, repair: c.Repair,
		fast: !c.NoFastPath,
	}
	s.code = c.Code
	if f.Body == format.Envelope {
		s.newFilter = newEnvelope
	}
	if f.ToolTags() {
		s.newFilter = func(l *Lexer) Handler { return c.NewFilter(l.user, l, f) }
		s.tags = lexeme.NewTags("<>", "</>")
		s.names = newToolNames(c.Tools)
		s.offers = f.Body == format.Elements && !c.NoFastPath
		return s
	}
	s.tags = lexeme.NewTags(f.Call.Open, f.Call.Close)
	s.offers = s.tags.Simple() && !c.NoFastPath
	s.nameFirst = f.Body == format.Arguments && len(s.tags.Open) < s.limits.Bytes
	if begin := f.Begin(); begin != "" {
		s.begins = append(s.begins, begin)
	}
	for _, b := range bodies {
		if b != f.Begin() {
			s.begins = append(s.begins, b)
		}
	}
	if c.Repair && len(f.NameKeys) > 0 {
		s.begins = append(s.begins, fences...)
	}
	if f.Section != (format.Tags{}) {
		s.sections = []string{f.Section.Open, f.Section.Close}
	}
	mark, last := &f.Parameter, f.Function.Close
	if last == "" {
		last = f.Call.Close
	}
	s.open, s.close = lexeme.NewPhrase(mark.Open), lexeme.NewPhrase(mark.Close)
	s.last = lexeme.NewPhrase(last)
	return s
}

// addStarts prepares what may begin in text.
func (s *Syntax) addStarts(c Config) {
	s.reasoning, s.code = c.Reasoning, c.Code
	members := s.members
	if members == nil {
		members = []*Syntax{s}
	}
	var regions []format.Region
	for _, m := range members {
		regions = append(regions, m.format.Reasoning...)
		if m != s {
			s.sections = append(s.sections, m.sections...)
		}
		if m.names == nil {
			s.starts.add(m.tags.Open)
			continue
		}
		for _, name := range m.names.list {
			s.starts.add("<" + name)
		}
	}
	for _, tag := range s.sections {
		s.starts.add(tag)
	}
	if c.Reasoning != format.NoReasoning {
		s.addRegions(format.Regions, regions)
	}
	if !c.Repair {
		return
	}
	for i, m := range members {
		switch {
		case m.names != nil:
		case m.format.Body == format.Arguments && i == 0: // the set has it first
			s.addNear(c)
		case m.format.Body == format.Arguments:
		default:
			m.addOthers(c.Tools)
			s.addOpeners(m)
		}
	}
}

// addOpeners adds the near misses of a member of a set.
func (s *Syntax) addOpeners(m *Syntax) {
	if m == s || m.near == nil {
		return
	}
	if s.near == nil {
		s.near = &near{}
	}
	for _, o := range m.near.openers {
		s.near.openers = append(s.near.openers, o)
		s.starts.add(o.Open)
	}
}

// Format returns the format.
func (s *Syntax) Format() *format.Format { return s.format }

// ClosesAt reports whether the closing tag begins at w[i].
func (s *Syntax) ClosesAt(w []byte, i int) bool { return s.tags.ClosesAt(w, i) }

// matchMark returns OpenTag if mark begins at w[i], and SomeTag if w ends inside what may become
// it.
func matchMark(w []byte, i int, mark string) lexeme.Tag {
	switch lexeme.MatchTag(w[i:], mark) {
	case len(mark):
		return lexeme.OpenTag
	case len(w) - i:
		return lexeme.SomeTag
	}
	return lexeme.NoTag
}

// matchPhrase is matchMark, but faster if the mark is there.
func matchPhrase(w []byte, i int, mark *lexeme.Phrase) lexeme.Tag {
	if mark.Begins(w[i:]) {
		return lexeme.OpenTag
	}
	return matchMark(w, i, mark.Text)
}

// matchAny is matchMark for any of several marks.
func matchAny(w []byte, i int, marks []string) lexeme.Tag {
	found := lexeme.NoTag
	for _, m := range marks {
		switch matchMark(w, i, m) {
		case lexeme.OpenTag:
			return lexeme.OpenTag
		case lexeme.SomeTag:
			found = lexeme.SomeTag
		}
	}
	return found
}
