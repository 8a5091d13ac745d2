package lex

import (
	"fmt"
	"slices"

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
	Config
	format  *format.Format
	foreign bool      // of calls among text of another format
	members []*Syntax // of the formats that are read: the Syntax alone, or several

	// Of text.
	starts     starts    // what may begin
	plain      [256]bool // bytes that need no closer look
	opens      [256]bool // first bytes of openers
	sections   []string  // the tags around several calls
	regions    []region  // of reasoning
	openers    []opener
	stem       string   // the opener in lower case, without its >; "" if no other is near
	foreigners []opener // of calls in other formats, and near misses

	// Of calls.
	Tags      lexeme.Tags
	offers    bool                   // Handler.Offer may be called
	nameFirst bool                   // a name after the opener begins a call of the wire format
	names     *toolNames             // if tags are named after tools, else nil
	newFilter func(l *Lexer) Handler // between the Lexer and its Handler during a call; or nil

	open, close, last lexeme.Phrase // around tagged parameters, and what ends the last one
	lines             bool          // they are between line ends
	afterObject       state         // after an object that is the arguments
}

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
	s := newSyntax(set[0], c, false)
	if len(set) > 1 {
		s = &Syntax{Config: c, format: s.format, Tags: s.Tags, members: s.members}
		for _, other := range set[1:] {
			s.members = append(s.members, newSyntax(other, c, false))
		}
		s.addOpeners()
	}
	s.addText()
	for i := range s.plain {
		s.plain[i] = !s.starts.first[i] && !markdown.Marks(byte(i))
	}
	return s, nil
}

// newSyntax returns the syntax of calls.
func newSyntax(f *format.Format, c Config, foreign bool) *Syntax {
	s := &Syntax{Config: c, format: f, foreign: foreign}
	s.members = []*Syntax{s}
	if f.Body == format.Envelope {
		s.newFilter = newEnvelope
	}
	if f.ToolTags() {
		s.newFilter = func(l *Lexer) Handler { return c.NewFilter(l.user, l, f) }
		s.Tags = lexeme.NewTags("<>", "</>")
		s.names = newToolNames(c.Tools)
		s.openers = []opener{{names: s.names, bodies: []bodyStart{{syntax: s}}}}
		return s
	}
	s.Tags = lexeme.NewTags(f.Call.Open, f.Call.Close)
	s.offers = s.Tags.Simple() && !c.NoFastPath
	s.nameFirst = f.Body == format.Arguments && len(s.Tags.Open) < c.Limits.Bytes
	s.openers = []opener{{Opener: format.Opener{Tags: f.Call}, bodies: s.bodies()}}
	if f.Section != (format.Tags{}) {
		s.sections = []string{f.Section.Open, f.Section.Close}
	}
	mark := &f.Parameter
	s.afterObject = afterBody
	if f.Body == format.Envelope && f.Function.Close != "" {
		s.afterObject = beforeFunctionEnd
	}
	s.open, s.close = lexeme.NewPhrase(mark.Open), lexeme.NewPhrase(mark.Close)
	s.last = lexeme.NewPhrase(f.End())
	s.lines = f.Lines
	return s
}

// addText prepares what may begin in text.
func (s *Syntax) addText() {
	regions := format.Regions
	for i, m := range s.members {
		regions = slices.Concat(regions, m.format.Reasoning)
		if m != s {
			s.sections = append(s.sections, m.sections...)
		}
		if m.names == nil {
			s.starts.add(m.Tags.Open)
			s.opens[m.Tags.Open[0]] = len(m.Tags.Open) < s.Limits.Bytes
		} else {
			for _, name := range m.names.list {
				s.starts.add("<" + name)
			}
		}
		switch {
		case !s.Repair || m.names != nil:
		case m.format.Body != format.Arguments:
			s.addBare(m)
		case i == 0: // the set has it first
			s.addNear()
		}
	}
	for _, tag := range s.sections {
		s.starts.add(tag)
	}
	if s.Reasoning != format.NoReasoning {
		s.addRegions(regions)
	}
}

// Format returns the format.
func (s *Syntax) Format() *format.Format { return s.format }
