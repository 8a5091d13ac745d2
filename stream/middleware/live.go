package middleware

import (
	"bytes"

	"github.com/callwire/callwire/parse"
)

// A call that shows nothing for minutes, because it holds a whole file, looks like a
// program that hangs, and some connections time out. So arguments longer than
// Options.LiveAfter are delivered as they arrive, if the API has pieces. Shorter ones,
// nearly all, are checked first.
//
// What is delivered cannot be taken back. If a call breaks after that, its arguments
// end in bytes that no JSON reader takes for complete or merely unfinished, so nobody
// executes it, and the application tells the model as for any call whose arguments are
// not JSON.

// liveSink takes a call that is delivered as it arrives.
type liveSink interface {
	sink
	splits() bool // the API has pieces
	begin(id, name string)
	piece(input []byte)

	// complete ends the call; input is all of its arguments. Broken says that they must
	// not be executed.
	complete(input []byte, broken bool)
}

// callInPieces delivers a whole call as if it arrived in pieces.
func callInPieces(s liveSink, id, name string, input []byte) {
	s.begin(id, name)
	for piece := range pieces(input) {
		s.piece(piece)
	}
	s.complete(input, false)
}

// liveCall is the call being read, if it may be delivered before its end.
type liveCall struct {
	id, name string
	input    []byte // so far
	begun    bool   // it is being delivered
}

// start begins a call that may be delivered before its end, unless only its end decides
// whether it is delivered at all.
func (d *decoder) start(s *parse.Segment) {
	x := d.x
	switch {
	case d.damaged && !x.opts.ContinueAfterMalformed, x.want.one && d.calls > 0, !x.want.allows(s.Name), x.set.strict[s.Name], s.Name == x.set.loader:
		return
	}
	d.live = &liveCall{name: s.Name}
}

// arrive takes the next piece of the arguments.
func (d *decoder) arrive(piece []byte) {
	l := d.live
	if l == nil {
		return
	}
	if l.input = append(l.input, piece...); l.begun {
		d.lively.piece(piece)
	} else if len(l.input) > d.x.opts.LiveAfter {
		l.begun = true
		l.id = d.deliver()
		d.lively.begin(l.id, l.name)
		d.lively.piece(l.input)
	}
}

// settle ends the call being delivered. It reports whether there was one.
func (d *decoder) settle(s *parse.Segment) (id string, ok bool) {
	l := d.live
	d.live = nil
	if l == nil || !l.begun {
		return "", false
	}
	if s.Kind == parse.Call && bytes.HasPrefix(s.Input, l.input) {
		if rest := s.Input[len(l.input):]; len(rest) > 0 {
			d.lively.piece(rest)
		}
		d.lively.complete(s.Input, false)
		return l.id, true
	}
	poison := misfitting(l.input)
	d.lively.piece(poison)
	d.lively.complete(append(l.input, poison...), true)
	return "", true
}

// misfitting returns what cannot follow the beginning of a JSON text, not even for
// readers of incomplete JSON: the wrong closing bracket.
func misfitting(beginning []byte) []byte {
	var stack []byte
	text := false
	for i := 0; i < len(beginning); i++ {
		switch c := beginning[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			stack = append(stack, c)
		case c == '}' || c == ']':
			stack = stack[:len(stack)-1]
		}
	}
	poison := []byte{'"', ']'}
	if n := len(stack); n > 0 && stack[n-1] == '[' {
		poison[1] = '}'
	}
	if !text {
		poison = poison[1:]
	}
	return poison
}
