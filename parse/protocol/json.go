package protocol

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/relaxed"
)

// jsonBody reads a JSON object that holds the name and the arguments of a call, in any
// order. Arguments that come before the name are read once it is known.
type jsonBody struct {
	keys   Envelope
	repair bool // arguments are typed once they are complete
	scan   relaxed.Scanner

	member   member
	seen     [members]bool
	skim     int  // open levels in a value being skimmed; 0 for none
	named    bool // the name is known
	unclosed bool // the last brace is missing if a closer stands here
	args     bool // the arguments are being read
	text     []byte
	from, to int // offsets of arguments that came before the name; to is 0 if there are none
	at       int // offset of the string being read
	noted    relaxed.Allow
}

// member is a member of the envelope.
type member uint8

const (
	other member = iota
	theName
	theArguments
	members
)

func (b *jsonBody) begin(r *reader) {
	r.asm.Begin(r.start, !b.repair)
	b.scan.Depth = r.asm.Limits().Depth + 2 // neither the envelope nor the arguments count as a level
	b.scan.Reset()
	b.member, b.seen = other, [members]bool{}
	b.skim, b.named, b.args, b.unclosed = 0, false, false, false
	b.from, b.to = 0, 0
	b.noted = 0
}

func (b *jsonBody) takes(w []byte) bool { return w[0] == '{' || w[0] == '[' }

func (b *jsonBody) quotes() string {
	if b.scan.Allow&relaxed.SingleQuotes != 0 {
		return `"'`
	}
	return `"`
}

func (b *jsonBody) quote() (byte, int) {
	if q := b.scan.Quote(); q == 0 || b.scan.Look() == 0 {
		return q, 0
	}
	return b.scan.Quote(), 1 + b.scan.Look()
}

func (b *jsonBody) pass(*reader) bool { return true }

func (b *jsonBody) read(r *reader, bound int) (part parse.Part, more bool) {
	w := r.win[:bound]
	s := &b.scan
	if b.unclosed {
		return b.lastBrace(r, r.pos)
	}
	if s.Nesting() == 0 {
		if r.pos = lexeme.SkipSpace(w, r.pos); r.pos == bound {
			return parse.NoPart, false
		}
		switch list := w[r.pos] == '['; {
		case list && r.salvages() && r.wrap == "": // of one call
			r.wrapped("list", r.pos, "]")
			r.pos++
			return parse.NoPart, true
		case w[r.pos] != '{':
			return r.fail(worse(w, r.pos, lexer.ExpectedName), r.pos), true
		}
	}
	if s.Nesting() == 0 && s.Look() == 0 && !b.named && !r.asm.Dead() {
		if part = b.opening(r, w); part != parse.NoPart {
			return part, true
		}
	}
	for {
		if b.named && b.to > 0 {
			return b.replay(r), true
		}
		if b.args && s.Quote() == 0 {
			b.members(r, w)
			if part, ended := b.closing(r, w); ended {
				return part, true
			}
		}
		s.Pieces = b.args && b.skim == 0
		steps := s.Steps
		t, next := s.Next(w, r.pos)
		r.steps += s.Steps - steps
		if t.Kind == 0 {
			r.pos = next
			code, at := s.Fault()
			if b.member == theName && !b.named && s.Quote() != 0 && b.counted(w, next+1) > r.asm.Limits().Name {
				return b.tooLong(r, next+1), true
			}
			switch {
			case code == lexer.ExpectedComma && r.salvages() && s.Nesting() == 1 && b.named && b.seen[theArguments]:
				return b.lastBrace(r, at)
			case code != "":
				return r.fail(code, at), true
			}
			return parse.NoPart, false
		}
		at := r.offset(t.Start)
		if t.Kind == 's' || t.Kind == 'k' && t.Quoted {
			at--
		}
		if s.Tolerated != 0 && s.Quote() == 0 { // for a string, all at its end, whatever its pieces
			b.note(r, s, t, at)
		}
		var failed bool
		switch {
		case b.args:
			part, failed = b.argument(r, w, t, at)
		case b.skim > 0:
			part = b.skimmed(r, t)
		default:
			part, failed = b.enveloped(r, w, t, at)
		}
		if failed {
			return part, true
		}
		r.pos = next
		if part != parse.NoPart || r.state != inBody {
			return part, true
		}
	}
}

// lastBrace reads on at win[at], where the last brace is due. Under Salvage the closer
// may stand there, since name and arguments are whole.
func (b *jsonBody) lastBrace(r *reader, at int) (part parse.Part, more bool) {
	r.pos = at
	end, more := r.frame.closes(r.win, at)
	if b.unclosed = more; more {
		return parse.NoPart, false
	}
	if end == 0 {
		return r.fail(lexer.ExpectedComma, at), true
	}
	if !r.asm.Dead() {
		r.asm.Repaired("missing-brace", r.offset(at), true)
	}
	r.complete()
	return parse.NoPart, true
}

// note records, once per call, the deviations that s has tolerated up to t at offset
// at.
func (b *jsonBody) note(r *reader, s *relaxed.Scanner, t relaxed.Token, at int) {
	if t.Kind == 's' && !t.First {
		at = b.at
	}
	for bit := relaxed.Allow(1); bit <= s.Tolerated; bit <<= 1 {
		if s.Tolerated&bit&^b.noted != 0 {
			r.asm.Repaired(bit.String(), at, false)
		}
	}
	b.noted |= s.Tolerated
	s.Tolerated = 0
}

// opening reads the envelope up to the arguments if it looks as most models write it:
// name, then arguments, nothing to unquote. It saves a fifth of a call's time.
func (b *jsonBody) opening(r *reader, w []byte) parse.Part {
	i := after(w, r.pos+1, b.keys.NameKeys[0], '"')
	if i == 0 {
		return parse.NoPart
	}
	n := bytes.IndexByte(w[i:min(len(w), i+r.asm.Limits().Name+1)], '"')
	if n <= 0 {
		return parse.NoPart
	}
	name := w[i : i+n]
	for _, c := range name {
		if c < ' ' || c == '\\' || c >= utf8.RuneSelf {
			return parse.NoPart
		}
	}
	at := lexeme.SkipSpace(w, i+n+1)
	if at == len(w) || w[at] != ',' {
		return parse.NoPart
	}
	end := after(w, at+1, b.keys.ArgumentKeys[0], '{')
	if end == 0 {
		return parse.NoPart
	}
	b.seen[theName], b.seen[theArguments] = true, true
	b.named, b.member = true, theArguments
	b.scan.Enter()
	r.steps += end - 1 - r.pos
	r.pos = end - 1
	return r.asm.Name(name, r.offset(i))
}

// after returns the index after the key and the byte c that begins its value, if both
// stand at w[i]; else 0.
func after(w []byte, i int, key string, c byte) int {
	i = lexeme.SkipSpace(w, i)
	if i+len(key)+2 > len(w) || w[i] != '"' || string(w[i+1:i+1+len(key)]) != key || w[i+1+len(key)] != '"' {
		return 0
	}
	i = lexeme.SkipSpace(w, i+len(key)+2)
	if i == len(w) || w[i] != ':' {
		return 0
	}
	i = lexeme.SkipSpace(w, i+1)
	if i == len(w) || w[i] != c {
		return 0
	}
	return i + 1
}

// members reads what it can of the arguments in one go.
func (b *jsonBody) members(r *reader, w []byte) {
	first, ok := b.scan.AtMember()
	if !ok {
		return
	}
	if n := r.asm.Members(w, r.pos, first); n > r.pos {
		r.steps += n - r.pos
		r.pos = n
		b.scan.Skip()
	}
}

// closing reads the braces of the arguments and the envelope, if they come next.
func (b *jsonBody) closing(r *reader, w []byte) (part parse.Part, ended bool) {
	if _, ok := b.scan.AtMember(); !ok || b.scan.Nesting() != 2 {
		return parse.NoPart, false
	}
	i := lexeme.SkipSpace(w, r.pos)
	end := lexeme.SkipSpace(w, min(i+1, len(w)))
	if end == len(w) || w[i] != '}' || w[end] != '}' {
		return parse.NoPart, false
	}
	r.steps += end + 1 - r.pos
	r.pos = end + 1
	if !r.asm.Dead() {
		r.asm.Close(r.offset(i))
		part, _ = r.asm.Failed()
	}
	r.complete()
	return part, true
}

func (b *jsonBody) spoil(r *reader) {
	if b.from > 0 && !b.named {
		b.replayed(r)
	}
}

// counted returns how many bytes of the unfinished name that begins at w[from] count
// toward its limit: all but those that may begin an escape or its end. A byte from 0x80
// up always counts.
func (b *jsonBody) counted(w []byte, from int) int {
	code, at := b.scan.Fault()
	end := from + b.scan.Look()
	switch {
	case code == "" && end < len(w) && w[end] >= utf8.RuneSelf: // a character is cut off
		end = len(w)
	case code == lexer.InvalidUTF8 && w[at] >= ' ' && w[at] != b.scan.Quote() && w[at] != '\\':
		end = at + 1
	case code != "":
		end = at
	}
	return end - from
}

// tooLong calls fail for a name at win[from] that is too long.
func (b *jsonBody) tooLong(r *reader, from int) parse.Part {
	at := from + r.asm.Limits().Name
	skip := at
	for skip > from && r.win[skip-1] == '\\' {
		skip--
	}
	skip = at - (at-skip)%2 // at the first byte of a unit
	return r.failIn(lexer.NameTooLong, at, skip, r.win[from-1])
}

// enveloped reads a token of the envelope, including the first of a member's value.
func (b *jsonBody) enveloped(r *reader, w []byte, t relaxed.Token, at int) (part parse.Part, failed bool) {
	switch {
	case t.Kind == 'k':
		b.text = t.AppendText(b.text[:0], w)
		switch {
		case slices.Contains(b.keys.NameKeys, string(b.text)):
			b.member = theName
		case slices.Contains(b.keys.ArgumentKeys, string(b.text)):
			b.member = theArguments
		default:
			b.member = other
			return parse.NoPart, false
		}
		if b.seen[b.member] {
			b.spoil(r) // faults in the arguments come first
			b.member = other
			return r.asm.Fail(lexer.DuplicateKey, at), false
		}
		b.seen[b.member] = true
		return parse.NoPart, false
	case t.Kind == '}' && b.scan.Nesting() == 0:
		return b.complete(r, at)
	case t.Kind == '{' && b.scan.Nesting() == 1:
		return parse.NoPart, false
	case b.member == theName:
		return b.name(r, w, t)
	case b.member == theArguments:
		return b.arguments(r, w, t, at)
	case t.Kind == '{' || t.Kind == '[':
		b.skim = 1
	}
	return parse.NoPart, false
}

// skimmed reads a token of a value that is skipped.
func (b *jsonBody) skimmed(r *reader, t relaxed.Token) parse.Part {
	switch t.Kind {
	case '{', '[':
		b.skim++
	case '}', ']':
		if b.skim--; b.skim == 0 && b.member == theArguments {
			b.to = r.offset(t.End)
		}
	}
	return parse.NoPart
}

// name reads the value of the name.
func (b *jsonBody) name(r *reader, w []byte, t relaxed.Token) (part parse.Part, failed bool) {
	from := t.Start
	if t.Kind == 's' {
		from--
	}
	limit := r.asm.Limits().Name
	switch {
	case t.Kind != 's' || t.Start == t.End:
		return r.fail(lexer.ExpectedName, from), true
	case t.End-t.Start > limit:
		return b.tooLong(r, t.Start), true
	}
	b.text = t.AppendText(b.text[:0], w)
	if b.to > 0 && !r.asm.Knows(b.text) {
		b.replayed(r) // faults in the arguments come first
	}
	b.named = true
	if r.asm.Dead() {
		return parse.NoPart, false
	}
	return r.asm.Name(b.text, r.offset(t.Start)), false
}

// arguments reads the first token of the arguments.
func (b *jsonBody) arguments(r *reader, w []byte, t relaxed.Token, at int) (part parse.Part, failed bool) {
	switch {
	case t.Kind == '{' && b.named && !b.repair:
		b.args = true
		return b.argument(r, w, t, at)
	case t.Kind == '{':
		b.skim, b.from = 1, at
		return parse.NoPart, false
	case t.Kind == 's', t.Kind == 'l' && lexeme.LiteralOf(t.Literal(w)) == 'n':
		b.from, b.to = at, r.offset(t.End)
		if t.Kind == 's' {
			b.to++
		}
		return parse.NoPart, false
	}
	return r.fail(lexer.NotAnObject, at-r.base), true
}

// argument reads a token of the arguments.
func (b *jsonBody) argument(r *reader, w []byte, t relaxed.Token, at int) (part parse.Part, failed bool) {
	ended := t.Kind == '}' && b.scan.Nesting() == 1
	if !r.asm.Dead() {
		b.write(r, w, t, at)
		part, _ = r.asm.Failed()
	}
	if ended {
		b.args = false
	}
	return part, false
}

// write writes a token of the arguments.
func (b *jsonBody) write(r *reader, w []byte, t relaxed.Token, at int) {
	a := r.asm
	switch t.Kind {
	case '{', '[':
		a.Open(t.Kind == '{', at)
	case '}', ']':
		a.Close(at)
	case 'l':
		a.Literal(t.Literal(w), at)
	case 'k':
		b.text = t.AppendText(b.text[:0], w)
		a.Key(b.text, at)
	case 's':
		text := w[t.Start:t.End]
		if t.Escaped {
			b.text = t.AppendText(b.text[:0], w)
			text = b.text
		}
		if t.First && t.Last {
			a.String(text, at)
			return
		}
		if t.First {
			b.at = at
		}
		a.Piece(text, t.First)
		if t.Last {
			end := r.offset(t.End)
			a.EndPieces(b.at, func() []byte {
				all := relaxed.Token{End: end - b.at - 1, Escaped: true}
				return all.AppendText(nil, r.slice(b.at+1, end))
			})
		}
	}
}

// replay reads the arguments that came before the name, and those that are a string.
func (b *jsonBody) replay(r *reader) parse.Part {
	if !r.asm.Dead() {
		b.replayed(r)
	}
	b.from, b.to = 0, 0
	part, _ := r.asm.Failed()
	return part
}

// replayed writes the arguments between the offsets from and to, as far as they go.
func (b *jsonBody) replayed(r *reader) {
	a := r.asm
	to := b.to
	if to == 0 {
		to = r.offset(r.pos)
	}
	w := r.slice(b.from, to)
	s := relaxed.Scanner{Allow: b.scan.Allow, Depth: b.scan.Depth - 1, Last: b.to > 0}
	at := func(t relaxed.Token) int {
		if t.Kind == 's' || t.Kind == 'k' && t.Quoted {
			return b.from + t.Start - 1
		}
		return b.from + t.Start
	}
	t, i := s.Next(w, 0)
	switch t.Kind {
	case 'l': // null
		a.Open(true, b.from)
		a.Close(b.from)
		return
	case 's':
		b.encoded(r, t.AppendText(nil, w))
		return
	}
	if b.repair && b.to > 0 {
		b.repaired(r, w, true)
		return
	}
	for ; t.Kind != 0 && !a.Dead(); t, i = s.Next(w, i) {
		b.write(r, w, t, at(t))
		if a.Broken() {
			return
		}
	}
}

// repaired writes the object in text, typed by the schema; own says that text is part
// of the message, at offset from.
func (b *jsonBody) repaired(r *reader, text []byte, own bool) {
	if b.scan.Allow != 0 {
		strict, tolerated, err := relaxed.Options{Allow: b.scan.Allow, Depth: b.scan.Depth}.Parse(text)
		if err == nil && len(tolerated) > 0 {
			text, own = strict, false
		}
	}
	r.asm.JSON(text, b.from, own)
}

// encoded writes arguments that are a string, at offset from, with this text.
func (b *jsonBody) encoded(r *reader, text []byte) {
	a := r.asm
	s := relaxed.Scanner{Allow: b.scan.Allow, Depth: b.scan.Depth - 1, Last: true}
	if i := lexeme.SkipSpace(text, 0); i == len(text) {
		a.Issue(lexer.Coerced, b.from)
		a.Open(true, b.from)
		a.Close(b.from)
		return
	} else if text[i] != '{' {
		a.Fail(lexer.NotAnObject, b.from)
		return
	}
	valid, end := s, 0
	for t, i := valid.Next(text, 0); t.Kind != 0; t, i = valid.Next(text, i) {
		end = i
	}
	b.note(r, &valid, relaxed.Token{}, b.from)
	if !valid.Done() || lexeme.SkipSpace(text, end) < len(text) {
		a.Fail(lexer.NotAnObject, b.from)
		return
	}
	a.Issue(lexer.Coerced, b.from)
	if b.repair {
		b.repaired(r, text, false)
		return
	}
	for t, i := s.Next(text, 0); t.Kind != 0 && !a.Broken(); t, i = s.Next(text, i) {
		b.write(r, text, t, b.from)
	}
}

// complete ends the envelope; its brace is at offset at.
func (b *jsonBody) complete(r *reader, at int) (part parse.Part, failed bool) {
	if !b.named {
		return r.fail(lexer.ExpectedName, at-r.base), true
	}
	if !b.seen[theArguments] && !r.asm.Dead() {
		r.asm.Open(true, at)
		r.asm.Close(at)
		part, _ = r.asm.Failed()
	}
	r.complete()
	return part, false
}
