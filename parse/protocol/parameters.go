package protocol

import (
	"bytes"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
)

// parameters reads a body of tagged values:
//
//	body      = name.Open NAME name.End { [ws] parameter } [ws] name.Close
//	parameter = value.Open KEY value.End [LF] TEXT [LF] value.Close
//
// Text has no quotes and no escapes. It ends at the first closer after which
// structure follows: whitespace, and the opener of a parameter or the closer of the
// body. Consecutive parameters of one key are an array, if the schema allows one.
//
// Under Salvage, closers may be missing, and the tags around a function, see drift.
type parameters struct {
	name, value Marks
	drift       *drift // nil without Salvage

	next    place
	looked  int    // how many bytes of whitespace follow the closer at win[pos]
	key     [2]int // offsets of the key of the parameter being read, or read last
	at      int    // offset of its value
	from    int    // the same, without the line end
	streams bool   // the value is written in pieces
	first   bool   // nothing of it is written yet
	odd     bool   // it holds tags
	pending []span // values of the key, not written yet
}

// place is a place in a body.
type place uint8

const (
	nowhere place = iota // in the body of another protocol
	atName
	betweenParameters
	atKey
	atText // the line end after value.End is due
	inValue
)

// span is a value: its offset, and those of its text.
type span struct{ at, from, to int }

func (b *parameters) takes(w []byte) bool { return begins(w, 0, b.name.Open) }

func (b *parameters) begin(r *reader) {
	r.asm.Begin(r.start, false)
	if b.drift != nil {
		b.drift.begin(r)
	}
	b.next, b.looked = nowhere, 0
	b.pending = b.pending[:0]
	if b.takes(r.win[r.pos:]) {
		r.pos += len(b.name.Open)
		b.next = atName
	}
}

func (b *parameters) quotes() string { return "" }

func (b *parameters) quote() (byte, int) { return 0, 0 }

func (b *parameters) read(r *reader, bound int) (part parse.Part, more bool) {
	w := r.win[:bound]
	switch b.next {
	case nowhere:
		return r.fail(lexer.ExpectedName, r.pos), true
	case atName:
		return b.readName(r, w)
	case betweenParameters:
		return b.readBetween(r, w)
	case atKey:
		if part, more = b.readKey(r, w); part != parse.NoPart || b.next != atText {
			return part, more
		}
		fallthrough
	case atText:
		if r.pos == len(w) {
			return parse.NoPart, false
		}
		b.at = r.offset(r.pos)
		if w[r.pos] == '\n' {
			r.pos++
		}
		b.next, b.from = inValue, r.offset(r.pos)
		b.streams, b.first, b.odd = !r.asm.Dead() && len(b.pending) == 0 && r.asm.Streams(), true, false
	}
	return b.readText(r, w)
}

// word reads a name or a key, which ends with the byte end. It returns the index of
// end, or, with false, that of a byte that neither can hold, or of the end of the
// window.
func (b *parameters) word(r *reader, w []byte, end byte) (i int, ok bool) {
	i = r.pos + r.look
	for i < len(w) && w[i] != end && !breaksWord(w[i]) {
		i++
	}
	r.steps += i - r.pos - r.look + 1
	r.look = i - r.pos
	if i == len(w) {
		return i, false
	}
	r.look = 0
	return i, w[i] == end
}

// breaksWord reports whether c cannot be in a name or key.
func breaksWord(c byte) bool { return c <= ' ' || c == 0x7f || c == '<' || c == '>' }

func (b *parameters) readName(r *reader, w []byte) (part parse.Part, more bool) {
	i, ok := b.word(r, w, b.name.End[0])
	switch limit := r.pos + r.asm.Limits().Name; {
	case i > limit:
		return b.wrong(r, lexer.NameTooLong, limit), true
	case i == len(w):
		return parse.NoPart, false
	case i == r.pos:
		return b.wrong(r, lexer.ExpectedName, i), true
	case !ok:
		return b.wrong(r, lexer.BadName, i), true
	case lexeme.IllFormed(w[r.pos:i]) >= 0:
		return b.wrong(r, lexer.BadName, i), true
	}
	end, more := b.mark(w, i, b.name.End)
	switch {
	case more:
		return parse.NoPart, false
	case end == 0:
		return b.wrong(r, lexer.BadName, i), true
	}
	name, at := w[r.pos:i], r.offset(r.pos)
	r.pos = end
	b.next = betweenParameters
	if b.drift != nil {
		name, at = b.drift.unquoted(r, name, at, "quoted-name", r.catalog.Lookup(name) != nil)
		b.drift.named(r, name)
	}
	if part = r.asm.Name(name, at); !r.asm.Dead() {
		r.asm.Open(true, at)
	}
	return part, true
}

// wrong calls fail in a name or key at win[pos]; bytes in it before win[at] that are
// not valid UTF-8 are the earlier fault.
func (b *parameters) wrong(r *reader, code lexer.Code, at int) parse.Part {
	r.look = 0
	bad := lexeme.IllFormed(r.win[r.pos:at])
	if bad >= 0 && (r.pos+bad < at || code != lexer.NameTooLong) {
		code, at = lexer.InvalidUTF8, r.pos+bad
	}
	return r.fail(code, at)
}

// mark looks for a mark at w[i]. It returns the index after it, 0 if it is not there,
// and whether the window is too short to tell.
func (b *parameters) mark(w []byte, i int, mark string) (end int, more bool) {
	switch n := lexeme.MatchTag(w[i:], mark); n {
	case 0:
		return 0, len(w) == i
	case len(mark):
		return i + n, false
	}
	return 0, true
}

// structure looks for the opener of a parameter or the closer of the body.
func (b *parameters) structure(w []byte, i int) (found, more bool) {
	open, more1 := b.mark(w, i, b.value.Open)
	if open > 0 {
		return true, false
	}
	end, more2 := b.mark(w, i, b.name.Close)
	if b.drift != nil && end == 0 && !more1 && !more2 {
		return b.drift.closes(w, i)
	}
	return end > 0, more1 || more2
}

func (b *parameters) readBetween(r *reader, w []byte) (part parse.Part, more bool) {
	b.whole(r, w)
	from := r.pos
	r.pos = lexeme.SkipSpace(w, r.pos)
	r.steps += r.pos - from + 1
	if end, _ := b.mark(w, r.pos, b.value.Open); end > 0 {
		r.pos = end
		b.next = atKey
		return b.read(r, len(w))
	}
	found, more := b.structure(w, r.pos)
	switch {
	case more:
		return parse.NoPart, false
	case !found:
		return r.fail(b.expected(w[r.pos]), r.pos), true
	}
	part = b.flush(r)
	if !r.asm.Dead() {
		r.asm.Close(r.offset(r.pos))
		part, _ = r.asm.Failed()
	}
	if end, _ := b.mark(w, r.pos, b.name.Close); end > 0 {
		r.pos = end
	} else {
		b.drift.missing(r, r.pos)
	}
	r.complete()
	return part, true
}

// whole reads parameters in one go, as long as all of one and what follows is there,
// and it is just text that fits the schema. Without it a call takes twice as long.
func (b *parameters) whole(r *reader, w []byte) {
	if len(b.pending) > 0 {
		return
	}
	i := lexeme.SkipSpace(w, r.pos)
	for key := b.keyAt(w, i); key != nil; {
		i += len(b.value.Open) + len(key) + len(b.value.End)
		n := bytes.IndexByte(w[i:], b.value.Close[0])
		if n < 0 || !begins(w, i+n, b.value.Close) {
			return
		}
		text := w[i : i+n]
		end := i + n + len(b.value.Close)
		i = lexeme.SkipSpace(w, end)
		r.steps += i - r.pos
		next := b.keyAt(w, i)
		if next == nil && !begins(w, i, b.name.Close) { // a fault in a key comes before the value
			return
		}
		if len(text) > 0 && text[0] == '\n' {
			text = text[1:]
		}
		if n := len(text) - 1; n >= 0 && text[n] == '\n' {
			text = text[:n]
		}
		if !utf8.Valid(text) || !r.asm.Member(key, text) && (bytes.Equal(key, next) || !r.asm.Array(key, text)) {
			return
		}
		if b.drift != nil {
			b.drift.met(key)
		}
		r.pos, key = end, next
	}
}

// keyAt returns the key of the parameter that begins at w[i], nil if its opener is cut
// off, or has or may have a fault.
func (b *parameters) keyAt(w []byte, i int) []byte {
	if !begins(w, i, b.value.Open) {
		return nil
	}
	i += len(b.value.Open)
	end := i
	for end < len(w) && end-i < shortKey && w[end] != b.value.End[0] && w[end] < utf8.RuneSelf && !breaksWord(w[end]) {
		end++
	}
	if end == i || !begins(w, end, b.value.End) {
		return nil
	}
	return w[i:end]
}

// shortKey is how many bytes of a key are looked at in one go.
const shortKey = 64

// begins reports whether mark stands at w[i].
func begins(w []byte, i int, mark string) bool {
	return len(w)-i >= len(mark) && string(w[i:i+len(mark)]) == mark
}

// expected returns the code for c in place of a parameter or the end of the body.
func (b *parameters) expected(c byte) lexer.Code {
	if lexeme.BeginsNone(c) {
		return lexer.InvalidUTF8
	}
	return lexer.ExpectedKey
}

func (b *parameters) readKey(r *reader, w []byte) (part parse.Part, more bool) {
	i, ok := b.word(r, w, b.value.End[0])
	switch {
	case i == len(w):
		return parse.NoPart, false
	case i == r.pos:
		return b.wrong(r, lexer.ExpectedKey, i), true
	case !ok || lexeme.IllFormed(w[r.pos:i]) >= 0:
		return b.wrong(r, lexer.ExpectedKey, i), true
	}
	end, more := b.mark(w, i, b.value.End)
	switch {
	case more:
		return parse.NoPart, false
	case end == 0:
		return b.wrong(r, lexer.ExpectedKey, i), true
	}
	key, at := w[r.pos:i], r.offset(r.pos)
	r.pos = end
	if b.drift != nil {
		key, at = b.drift.unquoted(r, key, at, "quoted-key", b.drift.field(key) != nil)
		b.drift.met(key)
	}
	b.next = atText
	if len(b.pending) > 0 && bytes.Equal(key, r.slice(b.key[0], b.key[1])) && r.asm.Repeats() {
		return parse.NoPart, true
	}
	part = b.flush(r)
	b.key = [2]int{at, at + len(key)}
	if !r.asm.Dead() {
		r.asm.Key(key, at)
		part, _ = r.asm.Failed()
	}
	return part, true
}

// flush writes the values that are not written yet.
func (b *parameters) flush(r *reader) (part parse.Part) {
	a := r.asm
	if a.Dead() {
		b.pending = b.pending[:0]
	}
	switch len(b.pending) {
	case 0:
		return parse.NoPart
	case 1:
		s := b.pending[0]
		r.raw(r.slice(s.from, s.to), s.at)
	default:
		a.Open(false, b.pending[0].at)
		for _, s := range b.pending {
			r.raw(r.slice(s.from, s.to), s.at)
		}
		a.Close(b.pending[len(b.pending)-1].to)
	}
	b.pending = b.pending[:0]
	part, _ = a.Failed()
	return part
}

// readText reads on in a value.
func (b *parameters) readText(r *reader, w []byte) (part parse.Part, more bool) {
	end, after, odd := b.text(r, w)
	closed := after >= 0
	b.odd = b.odd || odd
	from := r.pos
	to := end
	if closed && from < to && w[to-1] == '\n' {
		to--
	}
	if bad := lexeme.IllFormed(w[from:to]); bad >= 0 {
		r.pos = from + bad
		to = from + bad - lexeme.PartialRune(w[from:from+bad])
		if b.streams && to > from {
			r.asm.Piece(w[from:to], b.first)
		}
		return r.fail(lexer.InvalidUTF8, from+bad), true
	}
	if b.streams && (to > from || closed) {
		if !r.asm.Dead() {
			r.asm.Piece(w[from:to], b.first)
		}
		b.first = false
	}
	r.pos = end
	if !closed {
		return parse.NoPart, false
	}
	if r.pos = after; after == end {
		b.drift.missing(r, end)
	}
	b.next = betweenParameters
	if b.odd && !r.asm.Dead() {
		r.asm.Issue(lexer.AmbiguousText, b.at)
	}
	switch {
	case !b.streams:
		b.pending = append(b.pending, span{b.at, b.from, r.offset(to)})
	case !r.asm.Dead():
		r.asm.EndPieces(b.at, func() []byte { return r.slice(b.from, r.offset(to)) })
	}
	part, _ = r.asm.Failed()
	return part, true
}

// text returns the index up to which the text at w[pos] is certain, and, if it ends
// there, the index after its closer, which may be missing under Salvage, else -1. Odd
// says that it holds marks.
func (b *parameters) text(r *reader, w []byte) (end, after int, odd bool) {
	i := r.pos
	for {
		n := bytes.IndexByte(w[i:], b.value.Close[0])
		if n < 0 {
			r.steps += len(w) - i + 1
			end = len(w) - lexeme.PartialRune(w[i:])
			if end == len(w) && end > r.pos && w[end-1] == '\n' {
				end-- // which may stand before the closer
			}
			return end, -1, odd
		}
		r.steps += n + 1
		i += n
		hold := i
		if hold > r.pos && w[hold-1] == '\n' {
			hold--
		}
		after, more := b.mark(w, i, b.value.Close)
		if more {
			return hold, -1, odd
		}
		if after > 0 {
			j := lexeme.SkipSpace(w, after+b.looked)
			r.steps += j - after - b.looked + 1
			b.looked = 0
			found, more := b.structure(w, j)
			switch {
			case more:
				b.looked = j - after
				return hold, -1, odd
			case found:
				return i, after, odd
			}
			odd = true
		} else if b.drift != nil {
			switch found, more := b.drift.ends(r, b, w, i); {
			case more:
				return hold, -1, odd
			case found:
				return i, i, odd
			}
			odd = odd || bytes.HasPrefix(w[i:], []byte(b.value.Open))
		} else if n := lexeme.MatchTag(w[i:], b.value.Open); n == len(b.value.Open) {
			odd = true
		} else if n > 0 {
			return hold, -1, odd
		}
		i++
	}
}

func (b *parameters) spoil(*reader) {}

func (b *parameters) pass(r *reader) bool {
	if b.next != inValue {
		return true
	}
	end, after, _ := b.text(r, r.win)
	r.pos = end
	if after >= 0 {
		r.prev = 0
	}
	return after >= 0
}
