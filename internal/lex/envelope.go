package lex

import (
	"github.com/callwire/callwire/internal/buffer"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// envelope is a Handler between a Lexer that reads a JSON envelope and the Handler of the
// user. It pushes the name, and drops everything else but the arguments, which the Lexer pushes to
// the Handler of the user itself.
//
//	envelope = "{" member { "," member } "}"        in any order
//	member   = NameKeys string
//	         | ArgumentKeys ( object | string | null )
//	         | IDKeys string
//	         | stray
//
// Arguments that come before the name are read again once the name is known. If the name
// precedes the object, the object is the arguments.
type envelope struct {
	Handler        // of the user
	lexer   *Lexer // pushes to this envelope
	replays *Lexer // reads arguments again; nil until needed
	text    []byte // the name, key or ID, unescaped

	member       member // whose value is next or being read
	hasArguments bool
	hasOther     bool // members that models use for the arguments in other formats
	depth        int  // open brackets, including that of the envelope
	named        bool // Name was pushed
	from, to     int  // offsets of arguments that came before the name; 0 if unknown

	strays []span // keys of strays that came before the name
	id     span   // key of the ID, which may be an argument at the wrong place
	oddID  bool   // it is no string
	lost   int    // offset of the first stray that may be an argument; 0 if there is none

	size    int // bytes of the name or ID, escapes included
	nameEnd int // offset at which the name being read reaches its limit, or 0

	// A refused call fails once the current lexeme has been pushed.
	refusal   Code
	refusedAt int
}

// newEnvelope returns the envelope of the call that begins.
func newEnvelope(l *Lexer) Handler {
	e := &l.call.filter
	e.reset()
	e.Handler, e.lexer = l.user, l
	return e
}

// reset prepares for another call, and perhaps another Lexer.
func (e *envelope) reset() {
	*e = envelope{replays: e.replays, text: buffer.Keep(e.text), strays: e.strays[:0]}
}

// member is a member of the envelope.
type member uint8

const (
	strayMember member = iota
	idMember
	nameMember
	argumentsMember
)

// span is a part of the message, as two offsets.
type span struct{ from, to int }

// maxStrays is how many strays may come before the name. More are a fault.
const maxStrays = 1024

// maxID is the length of the longest ID, in bytes. A longer one is ignored.
const maxID = 256

// Name implements [Handler] for a name that precedes the object.
func (e *envelope) Name(b []byte, at, end int) {
	e.member, e.depth, e.named = argumentsMember, 1, true
	e.hasArguments = true
	e.Handler.Name(b, at, end)
}

// Begin implements [Handler].
func (e *envelope) Begin(object bool, at int) {
	e.depth++
	e.oddID = e.oddID || e.depth == 2 && e.member == idMember
	switch {
	case e.depth != 2:
	case e.member == nameMember:
		e.refuseAt(ExpectedName, at)
	case e.member != argumentsMember:
	case !object:
		e.refuseAt(NotAnObject, at)
	case !e.named:
		e.from = at
	default:
		e.lexer.h = e.Handler
		e.Handler.Begin(object, at)
	}
}

// End implements [Handler].
func (e *envelope) End(at int, source []byte) {
	e.depth--
	switch {
	case e.depth == 1 && e.member == argumentsMember && !e.named:
		e.to = at + 1
	case e.depth > 0:
	case !e.named:
		e.refuseAt(ExpectedName, at)
	default:
		e.endEnvelope(at)
	}
}

// endEnvelope ends an envelope that has a name.
func (e *envelope) endEnvelope(at int) {
	if e.id.to > 0 && (e.oddID || !e.hasArguments) {
		e.pushStray(e.id)
	}
	switch {
	case e.hasArguments:
	case e.lost > 0:
		e.Handler.Fault(NotAnObject, e.lost)
	default:
		e.emptyArguments(at)
	}
}

// endArguments follows the end of a bracket that the Handler of the user has received.
func (e *envelope) endArguments() {
	if l := e.lexer; e.depth == 2 && len(l.call.nest) == l.call.uncounted-1 {
		e.depth, l.h = 1, e
	}
}

func (e *envelope) emptyArguments(at int) {
	e.Handler.Begin(true, at)
	e.Handler.End(at, nil)
}

// Key implements [Handler].
func (e *envelope) Key(b []byte, f Flags, at int) {
	if e.depth > 1 {
		return
	}
	key := b
	if f&Escaped != 0 {
		e.text = lexeme.AppendUnescaped(e.text[:0], b)
		key = e.text
	}
	e.member = e.memberOf(key)
	isOther := e.member == strayMember && contains(format.ArgumentKeys, key)
	isSecond := e.member == nameMember && e.named
	if isOther || e.member == argumentsMember {
		isSecond = e.hasArguments || e.hasOther
	}
	e.hasOther = e.hasOther || isOther
	e.hasArguments = e.hasArguments || e.member == argumentsMember
	switch {
	case isSecond:
		e.replay(at)
		e.Handler.Fault(DuplicateKey, at)
		e.member, e.hasArguments = strayMember, true
	case e.member == idMember:
		e.id = span{at + 1, at + 1 + len(b)}
	case e.member == strayMember:
		e.stray(key, len(b), at)
	}
}

// memberOf returns the member with that key.
func (e *envelope) memberOf(key []byte) member {
	f := e.lexer.syntax.format
	switch {
	case contains(f.NameKeys, key):
		return nameMember
	case contains(f.ArgumentKeys, key):
		return argumentsMember
	case contains(f.IDKeys, key):
		return idMember
	}
	return strayMember
}

func contains(keys []string, key []byte) bool {
	for _, k := range keys {
		if k == string(key) {
			return true
		}
	}
	return false
}

// stray takes a member that is neither the name nor the arguments. Only the user's Handler knows
// whether it is an argument at the wrong place. The key is written in size bytes.
func (e *envelope) stray(key []byte, size, at int) {
	if e.lost == 0 && string(key) != "type" {
		e.lost = at
	}
	switch {
	case e.named:
		e.Handler.Stray(key, at, at+size+len(`""`))
	case len(e.strays) < maxStrays:
		e.strays = append(e.strays, span{at + 1, at + 1 + size})
	default:
		e.Handler.Fault(TooManyArguments, at)
	}
}

// pushStray pushes a stray whose key is a part of the message.
func (e *envelope) pushStray(key span) {
	e.text = lexeme.AppendUnescaped(e.text[:0], e.lexer.Source(key.from, key.to))
	e.Handler.Stray(e.text, key.from-1, key.to+1)
}

// Offer implements [Handler]. It reads a plain key with its colon, and a plain name after it.
func (e *envelope) Offer(b []byte, at int) (n, ended int) {
	if e.depth != 1 || b[0] != '"' {
		return 0, AfterValue
	}
	end := lexeme.SkipPlainASCII(b, 1)
	if end+2 >= len(b) || b[end] != '"' || b[end+1] != ':' {
		return 0, AfterValue
	}
	e.Key(b[1:end], First|Last, at)
	n = end + 2
	i := n
	if b[i] == ' ' {
		i++
	}
	if e.member != nameMember || i == len(b) || b[i] != '"' {
		return n, 0
	}
	end = lexeme.SkipPlainASCII(b, i+1)
	if end == len(b) || b[end] != '"' {
		return n, 0
	}
	e.String(b[i+1:end], First|Last, at+i)
	return end + 1, AfterValue
}

// String implements [Handler].
func (e *envelope) String(b []byte, f Flags, at int) {
	switch {
	case e.depth > 1:
	case e.member == nameMember || e.member == idMember:
		e.nameOrID(b, f, at)
	case e.member == argumentsMember && e.named:
		e.Handler.String(b, f, at)
	case e.member == argumentsMember:
		e.from = at
		if f&Last != 0 {
			e.to = e.lexer.offset(e.lexer.pos) + len(b) + 1
		}
	}
}

// Word implements [Handler].
func (e *envelope) Word(b []byte, at int) {
	switch {
	case e.depth > 1:
	case e.member == idMember:
		e.oddID = true
	case e.member == nameMember:
		e.refuseAt(ExpectedName, at)
	case e.member != argumentsMember:
	case string(b) != "null":
		e.refuseAt(NotAnObject, at)
	case e.named:
		e.emptyArguments(at)
	default:
		e.from, e.to = at, at+len(b)
	}
}

// nameOrID reads a piece of the name or of an ID. Once the name is known, it is too late for an ID.
func (e *envelope) nameOrID(b []byte, f Flags, at int) {
	isID, limit := e.member == idMember, e.lexer.syntax.Limits.Name
	if isID {
		limit = 6 * maxID // the longest with escapes
	}
	if f&First != 0 {
		e.text, e.size, e.nameEnd = e.text[:0], 0, 0
		if !isID {
			e.nameEnd = at + 1 + limit
		}
	}
	e.size += len(b)
	if e.size <= limit {
		e.text = lexeme.AppendUnescaped(e.text, b)
	} else if !isID {
		e.refuseAt(NameTooLong, e.nameEnd)
		return
	}
	switch {
	case f&Last == 0:
	case isID:
		if n := len(e.text); !e.named && n > 0 && n <= maxID && e.size <= limit {
			e.Handler.ID(e.text, at+1, at+1+e.size)
		}
	case len(e.text) == 0:
		e.refuseAt(ExpectedName, at)
	default:
		e.named, e.nameEnd = true, 0
		e.Handler.Name(e.text, at+1, at+1+e.size)
		for _, s := range e.strays {
			e.pushStray(s)
		}
		e.strays = e.strays[:0]
		e.replay(0)
	}
}

// replay reads the arguments that came before the name. If their end is unknown, it reads
// them up to offset end. A call in code or reasoning ends before them.
func (e *envelope) replay(end int) {
	if e.to == 0 {
		e.to = end
	}
	if e.from == 0 || e.to <= e.from {
		return
	}
	if e.replays == nil {
		e.replays = &Lexer{call: new(call)}
	}
	l := e.replays.Init(e.Handler, e.lexer.syntax)
	win := e.lexer.Source(e.from, e.to)
	l.window = window{win: win, base: e.from, bound: len(win), stop: e.to + 1}
	l.call.nest, l.call.body = l.call.nest[:0], body{isObject: true, strict: true, uncounted: 1}
	l.state = beforeElement
	if win[0] == 'n' {
		e.emptyArguments(e.from)
	} else {
		l.run()
	}
	*l = Lexer{call: l.call} // which would retain the message and the Handler
	e.from = 0
}

// Fault implements [Handler]. A fault in arguments that have not been pushed comes first, and so
// does the limit on a name.
func (e *envelope) Fault(code Code, at int) {
	limit, next := e.nameEnd, e.lexer.win[at-e.lexer.base:]
	if code == Unterminated || len(next) > 0 && next[0] == '"' {
		limit++ // the name has no byte at the limit
	}
	isLater := e.nameEnd > 0 && at >= limit && code != CallTooLong
	if e.refusal != "" || isLater {
		code, at, e.refusal = NameTooLong, e.nameEnd, ""
	}
	if !e.named {
		e.replay(at)
	}
	e.Handler.Fault(code, at)
}

func (e *envelope) refuseAt(code Code, at int) { e.refusal, e.refusedAt = code, at }

// refuse ends the refused call. Damage after a name that is too long may be inside its string.
func (e *envelope) refuse() {
	l := e.lexer
	code, at := e.refusal, e.refusedAt-l.base
	e.refusal = ""
	if code != NameTooLong {
		l.state, l.pos = beforeElement, at
	}
	l.failAt(code, at, l.pos)
}
