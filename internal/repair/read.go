package repair

import (
	"unicode/utf8"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/sig"
)

// Span is the source of one call that is malformed, or well formed but odd.
type Span struct {
	Text   []byte         // from the opener to the end of the damage
	Format *format.Format // one with Arguments or an Envelope

	// Of a format in which the name precedes a JSON object.
	Name   string // as it was read; empty if the call broke off before
	NameAt int

	MaxDepth     int // how deep arrays and objects may nest in the arguments
	MaxArguments int

	Closed bool // the span ends with a closing tag
	Last   bool // the span ends with the message
	Cut    bool // the message broke off
}

// Call is the call that was meant. Its offsets count bytes from the start of the span.
type Call struct {
	ID     string // that the call carries, or empty
	Name   string
	Args   []Member // Key is a path
	Object *Value   // all arguments, if they are one JSON object; Args is then empty
	End    int      // where the arguments end
	Notes  []Note

	Near bool // the opener isn't exactly that of the format
}

// Note is a named repair, and the offset of the first byte that it concerns.
type Note struct {
	Name string
	At   int
}

// Value is a value before it is typed.
type Value struct {
	Kind    Kind
	Text    []byte   // of a Word or String, without quotes and escapes
	Members []Member // of an Object, and without keys of an Array
	At, End int
}

// Member is an argument, a member of an object, or an element of an array.
type Member struct {
	Key   []byte
	At    int
	Value *Value
}

// Kind is how a value is written.
type Kind uint8

// The kinds of values.
const (
	Word   Kind = iota // without quotes: a literal, or a string in the wire format
	String             // in quotes
	Array
	Object
)

// IsNull reports whether the value is the word null.
func (v *Value) IsNull() bool { return v.Kind == Word && string(v.Text) == "null" }

// Read returns the call that a span means. It reports false if that is none, or if more than
// one could be meant. A call that is written as the format has it has no notes. Values may
// alias the span. Steps is the number of bytes looked at, which is linear in the span.
func Read(tools *Tools, s Span) (call *Call, steps int, ok bool) {
	r := &reader{Span: s, tools: tools, end: len(s.Text), inString: none, steps: len(s.Text)}
	r.json = s.Format.Body == format.Envelope
	if s.Cut && s.Last && !s.Closed || !utf8.Valid(s.Text) {
		return nil, r.steps, false
	}
	body := r.opener()
	r.closer()
	if body == nil || r.i > r.end || r.call.Near && !s.Closed {
		return nil, r.steps, false
	}
	body()
	r.space()
	r.refuseIf(r.i < r.end)
	r.call.End = r.end
	if !r.refused && !s.Closed {
		r.refuseIf(!r.isComplete())
	}
	return &r.call, r.steps, !r.refused
}

// reader reads Text[i:end] from left to right. Each method reads one form.
//
// Invariant: once refused is set, i is end, and results mean nothing.
type reader struct {
	Span
	tools   *Tools
	tool    *sig.Tool // nil until the name is known
	i, end  int
	refused bool
	steps   int // bytes looked at
	call    Call

	json         bool // the body is JSON
	python       bool // words may be Python literals
	mayLackBrace bool // the outermost object may end with the span
	depth        int  // open brackets
	values       int  // values so far
	inString     int  // offset of the string that contains all of Text, or none

	count       int  // arguments so far
	separators  int  // arguments with a comma or semicolon after them
	firstSep    int  // index of the first separator
	isSeparated bool // the last argument has a separator after it
	mayEndSo    bool // a separator may belong to the value before it
}

// none is an index that nothing has.
const none = -1

// maxValues bounds the memory of a tree, which is about a hundred times that of the source.
const maxValues = 1 << 14

// refuse ends the attempt. It returns a value for callers that need one.
func (r *reader) refuse() *Value {
	r.refused, r.i = true, r.end
	return new(Value)
}

func (r *reader) refuseIf(wrong bool) {
	if wrong {
		r.refuse()
	}
}

// note records a repair, once per name.
func (r *reader) note(name string, at int) {
	for i := range r.call.Notes {
		if r.call.Notes[i].Name == name {
			return
		}
	}
	r.call.Notes = append(r.call.Notes, Note{name, at})
}

// noteJSON records a deviation from JSON, in a format whose calls are JSON.
func (r *reader) noteJSON(name string, at int) {
	if r.json {
		r.note(name, r.place(at))
	}
}

// argumentsType returns the type of the arguments, or nil if they are untyped.
func (r *reader) argumentsType() *sig.Type {
	if r.tool == nil {
		return nil
	}
	return r.tool.Args
}

func (r *reader) untyped() bool { return r.argumentsType() == nil }

// at returns the byte at an index, or 0 at the end.
func (r *reader) at(i int) byte {
	if i < r.end {
		return r.Text[i]
	}
	return 0
}

// has reports whether text begins at an index.
func (r *reader) has(i int, text string) bool {
	return i+len(text) <= r.end && string(r.Text[i:i+len(text)]) == text
}

// expect reads text, or refuses.
func (r *reader) expect(text string) {
	if !r.has(r.i, text) {
		r.refuse()
		return
	}
	r.i += len(text)
}

// skip returns the index of the first byte from i on that isn't whitespace.
func (r *reader) skip(i int) int {
	end := lexeme.SkipSpace(r.Text[:r.end], i)
	r.steps += end - i
	return end
}

// space reads whitespace.
func (r *reader) space() { r.i = r.skip(r.i) }

// newValue returns a value that begins at an index and ends at i.
func (r *reader) newValue(kind Kind, text []byte, from int) *Value {
	r.values++
	r.refuseIf(r.values > maxValues)
	return &Value{Kind: kind, Text: text, At: r.place(from), End: r.place(r.i)}
}

// place returns the offset in the span of an index. Inside a string that is read as JSON, it is
// the offset of the string.
func (r *reader) place(i int) int {
	if r.inString != none {
		return r.inString
	}
	return i
}

// hasClass reports whether c has one of the roles.
func hasClass(c byte, roles lexeme.Class) bool { return lexeme.ClassOf(c)&roles != 0 }
