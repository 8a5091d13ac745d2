package lexer

import (
	"github.com/callwire/callwire/internal/format"

	"github.com/callwire/callwire/internal/next/lexeme"
)

// Config configures a Lexer. The zero Config reads the wire format with the default limits.
type Config struct {
	Format        *format.Format // nil means format.Wire
	Limits        Limits
	AllowUnclosed bool // accept a complete body at the end of the message without a closing tag
	NoFastPath    bool // never call Handler.Offer
	Repair        bool // frame calls so that likely mistakes can be read

	Reasoning Reasoning
	Code      bool // a call in Markdown code is malformed

	Tools []string // the names of all tools

	// NewFilter returns a Handler for calls in this format that pushes to h. Nil means h.
	NewFilter func(h Handler, l *Lexer) Handler
}

// Syntax is a compiled Config. It does not change, so any number of Lexers may share it.
type Syntax struct {
	format        *format.Format
	limits        Limits
	allowUnclosed bool
	repair        bool
	fast          bool // Handler.Offer may be called if the tags allow it

	reasoning Reasoning
	code      bool
	starts    starts   // what may begin in text and in reasoning
	regions   []region // of reasoning
	near      *near    // nil if near misses are text

	foreign bool       // of calls among text of another format
	outer   string     // the closing tag that may follow such a call if it has no opener
	known   *toolNames // the names that such a call may have
	others  []*Syntax  // of the bodies of other formats

	tags      lexeme.Tags
	offers    bool       // Handler.Offer may be called
	nameFirst bool       // a name directly after the opener begins a call of the wire format
	begins    []string   // what a body begins with: the first is right, the others are mistakes
	sections  []string   // the tags around several calls; nil if there are none
	structure []string   // what comes between tagged parameters: another one, or their end
	names     *toolNames // if tags are named after tools, else nil
	newFilter func(h Handler, l *Lexer) Handler
}

// bodies are what the bodies of the known formats with fixed tags begin with. After the opener
// of a format with another kind of body, they begin a malformed call.
var bodies = []string{"{", "[", "<function=", `<function name="`}

// fences are what a body in JSON begins with if it is in a Markdown fence.
var fences = []string{"```json\n{", "```json\n[", "```\n{", "```\n["}

// Compile prepares a Config. The error is that of [format.Format.Validate].
func Compile(c Config) (*Syntax, error) {
	f := c.Format
	if f == nil {
		f = format.Wire
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	s := newSyntax(f, c)
	s.addStarts(c)
	return s, nil
}

// newSyntax returns the syntax of calls.
func newSyntax(f *format.Format, c Config) *Syntax {
	s := &Syntax{format: f, limits: c.Limits.OrDefault(), allowUnclosed: c.AllowUnclosed, repair: c.Repair, fast: !c.NoFastPath}
	s.newFilter = c.NewFilter
	if f.Body == format.Envelope {
		s.newFilter = newEnvelope
	}
	if f.ToolTags() {
		s.tags = lexeme.NewTags("<>", "</>")
		s.names = newToolNames(c.Tools)
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
	s.structure = []string{f.Parameter.Open, f.Function.Close}
	if f.Function.Close == "" {
		s.structure[1] = f.Call.Close
	}
	return s
}

// addStarts prepares what may begin in text.
func (s *Syntax) addStarts(c Config) {
	s.reasoning, s.code = c.Reasoning, c.Code
	if s.names == nil {
		s.starts.add(s.tags.Open)
	}
	for _, name := range c.Tools {
		if s.names != nil {
			s.starts.add("<" + name)
		}
	}
	for _, tag := range s.sections {
		s.starts.add(tag)
	}
	if c.Reasoning != NoReasoning {
		s.addRegions(format.Regions, s.format.Reasoning)
	}
	switch {
	case !c.Repair || s.names != nil:
	case s.format.Body == format.Arguments:
		s.addNear()
	default:
		s.addOthers(c.Tools)
	}
}

// Limits returns the limits, defaults filled in.
func (s *Syntax) Limits() Limits { return s.limits }

// Format returns the format.
func (s *Syntax) Format() *format.Format { return s.format }

// StrictJSON reports whether arrays and objects are JSON, without the relaxed superset.
func (s *Syntax) StrictJSON() bool { return s.format.Body == format.Envelope }

// ClosesAt reports whether the closing tag begins at w[i].
func (s *Syntax) ClosesAt(w []byte, i int) bool { return s.tags.ClosesAt(w, i) }

// matchAny reports which of marks begins at w[i]: OpenTag if one does, SomeTag if w ends
// inside what may become one.
func matchAny(w []byte, i int, marks ...string) lexeme.Tag {
	found := lexeme.NoTag
	for _, m := range marks {
		switch n := lexeme.MatchTag(w[i:], m); n {
		case len(m):
			return lexeme.OpenTag
		case len(w) - i:
			found = lexeme.SomeTag
		}
	}
	return found
}
