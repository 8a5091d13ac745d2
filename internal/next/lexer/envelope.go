package lexer

import "github.com/callwire/callwire/internal/next/lexeme"

// envelope is a Handler between a Lexer that reads a JSON envelope and the Handler of the
// user. It pushes the name and the contents of the arguments and drops everything else.
//
//	envelope = "{" member { "," member } "}"        in any order
//	member   = "name" string
//	         | ( "arguments" | "parameters" ) ( object | string | null )
//	         | other
//
// Arguments that come before the name are read again once the name is known.
type envelope struct {
	// For the life of the Lexer.
	Handler        // of the user
	lexer   *Lexer // pushes to this envelope
	replays *Lexer // reads arguments again; nil until needed
	text    []byte // the name or key, unescaped

	// For a call.
	member   member // whose value is next or being read
	found    [argumentsMember + 1]bool
	depth    int  // open brackets, including that of the envelope
	named    bool // Name was pushed
	from, to int  // offsets of arguments that came before the name; 0 if unknown

	// A refused call fails once the current lexeme has been pushed.
	refusal   Code
	refusedAt int
}

// member is a member of the envelope.
type member uint8

const (
	otherMember member = iota
	nameMember
	argumentsMember
)

// Open implements [Handler].
func (e *envelope) Open(at int) {
	*e = envelope{Handler: e.Handler, lexer: e.lexer, replays: e.replays, text: e.text[:0]}
	e.Handler.Open(at)
}

// inArguments reports whether the current lexeme can be pushed as part of the arguments.
func (e *envelope) inArguments() bool {
	return e.depth > 1 && e.member == argumentsMember && e.named
}

// Begin implements [Handler].
func (e *envelope) Begin(object bool, at int) {
	e.depth++
	switch {
	case e.depth != 2:
	case e.member == nameMember:
		e.refuseAt(ExpectedName, at)
		return
	case e.member == argumentsMember && !object:
		e.refuseAt(NotAnObject, at)
		return
	case e.member == argumentsMember && !e.named:
		e.from = at
	}
	if e.inArguments() {
		e.Handler.Begin(object, at)
	}
}

// End implements [Handler].
func (e *envelope) End(at int, source []byte) {
	if e.inArguments() {
		e.Handler.End(at, source)
	}
	e.depth--
	switch {
	case e.depth == 1 && e.member == argumentsMember && !e.named:
		e.to = at + 1
	case e.depth > 0:
	case !e.named:
		e.refuseAt(ExpectedName, at)
	case !e.found[argumentsMember]:
		e.emptyArguments(at)
	}
}

func (e *envelope) emptyArguments(at int) {
	e.Handler.Begin(true, at)
	e.Handler.End(at, nil)
}

// Key implements [Handler].
func (e *envelope) Key(b []byte, f Flags, at int) {
	if e.depth > 1 {
		if e.inArguments() {
			e.Handler.Key(b, f, at)
		}
		return
	}
	e.text = lexeme.AppendUnescaped(e.text[:0], b)
	switch string(e.text) {
	case "name":
		e.member = nameMember
	case "arguments", "parameters":
		e.member = argumentsMember
	default:
		e.member = otherMember
		return
	}
	e.text = e.text[:0]
	if e.found[e.member] {
		e.replay(at)
		e.Handler.Fault(DuplicateKey, at)
		e.member = otherMember
	}
	e.found[e.member] = true
}

// Offer implements [Handler].
func (e *envelope) Offer(b []byte, at int) (n, dots int) {
	if e.inArguments() {
		return e.Handler.Offer(b, at)
	}
	return 0, -1
}

// String implements [Handler].
func (e *envelope) String(b []byte, f Flags, at int) {
	switch {
	case e.depth > 1:
		if e.inArguments() {
			e.Handler.String(b, f, at)
		}
	case e.member == nameMember:
		e.name(b, f, at)
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
func (e *envelope) Word(b []byte, f Flags, at int) {
	switch {
	case e.depth > 1:
		if e.inArguments() {
			e.Handler.Word(b, f, at)
		}
	case e.member == nameMember:
		e.refuseAt(ExpectedName, at)
	case e.member == argumentsMember && string(b) != "null":
		e.refuseAt(NotAnObject, at)
	case e.member == argumentsMember && e.named:
		e.emptyArguments(at)
	case e.member == argumentsMember:
		e.from, e.to = at, at+len(b)
	}
}

// name reads a piece of the name.
func (e *envelope) name(b []byte, f Flags, at int) {
	e.text = lexeme.AppendUnescaped(e.text, b)
	switch {
	case f&Last == 0:
	case len(e.text) == 0:
		e.refuseAt(ExpectedName, at)
	default:
		e.named = true
		e.Handler.Name(e.text, at+1)
		e.replay(0)
	}
}

// maxString returns how many bytes the next string may have. Only the name has its own limit.
func (e *envelope) maxString() int {
	if e.depth == 1 && e.member == nameMember {
		return e.lexer.syntax.limits.Name
	}
	return e.lexer.syntax.limits.Bytes
}

// replay reads the arguments that came before the name. If their end is unknown, it reads
// them up to offset end.
func (e *envelope) replay(end int) {
	if e.to == 0 {
		e.to = end
	}
	if e.from == 0 || e.to == 0 {
		return
	}
	if e.replays == nil {
		e.replays = New(e.Handler, e.lexer.syntax)
		e.replays.h, e.replays.envelope = e.Handler, nil
	}
	l := e.replays
	win := e.lexer.win[e.from-e.lexer.base : e.to-e.lexer.base]
	l.window = window{win: win, base: e.from, bound: len(win), stop: e.to + 1}
	l.call = call{nest: l.call.nest[:0], body: body{isObject: true, strict: true}}
	l.state = beforeElement
	if win[0] == 'n' {
		e.emptyArguments(e.from)
	} else {
		l.run()
	}
	e.from = 0
}

// Fault implements [Handler]. A fault in arguments that have not been pushed comes first.
func (e *envelope) Fault(code Code, at int) {
	if !e.named {
		e.replay(at)
	}
	e.Handler.Fault(code, at)
}

func (e *envelope) refuseAt(code Code, at int) { e.refusal, e.refusedAt = code, at }

// refuse ends the refused call.
func (e *envelope) refuse() {
	l := e.lexer
	code, at := e.refusal, e.refusedAt-l.base
	e.refusal, l.state, l.pos = "", beforeElement, at
	l.failAt(code, at, at)
}
