package parse

import (
	"slices"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
)

// prelude reads the reasoning that a message begins inside, whatever the format of its
// calls, and leaves all that comes after it to the Reader of that format. See
// Options.InReasoning.
type prelude struct {
	Reader // of what comes after the reasoning

	window []byte // what is still to be read
	read   int    // offset of it
	delta  []byte
	begun  bool // ReasoningStartPart was returned
	over   bool // the reasoning has ended
	ended  bool // and so has the message
	broken bool // it broke off
	steps  int
}

func (p *prelude) Reset() {
	p.Reader.Reset()
	*p = prelude{Reader: p.Reader, window: p.window[:0]}
}

func (p *prelude) Feed(chunk []byte) {
	if p.over {
		p.Reader.Feed(chunk)
	} else if !p.ended {
		p.window = append(p.window, chunk...)
	}
}

func (p *prelude) Close() { p.end(false) }
func (p *prelude) Abort() { p.end(true) }

// end ends the message.
func (p *prelude) end(broken bool) {
	switch {
	case !p.over:
		p.broken = broken && !p.ended || p.broken
		p.ended = true
	case broken:
		p.Reader.Abort()
	default:
		p.Reader.Close()
	}
}

func (p *prelude) Next() Part {
	if p.over {
		p.delta = nil
		return p.Reader.Next()
	}
	if !p.begun && len(p.window) > 0 {
		p.begun = true
		return ReasoningStartPart
	}
	at, n := 0, 0
	for ; at < len(p.window); at++ {
		if p.steps++; !lexer.BeginsThought(p.window[at]) {
			continue
		}
		var more bool
		if n, more = lexer.ThoughtEnd(p.window[at:]); n > 0 || more && !p.ended {
			break
		}
	}
	if at == len(p.window) && !p.ended {
		at -= lexeme.PartialRune(p.window)
	}
	switch {
	case at > 0:
		return p.give(ReasoningPart, at)
	case n > 0:
		p.give(ReasoningEndPart, n)
		p.leave()
		return ReasoningEndPart
	case p.ended:
		p.leave()
		if p.delta = []byte{}; p.begun {
			return ReasoningEndPart
		}
	}
	return NoPart
}

// give makes the first n bytes of the window those of the part.
func (p *prelude) give(part Part, n int) Part {
	p.delta, p.window = slices.Clip(p.window[:n]), p.window[n:]
	p.read += n
	return part
}

// leave leaves the rest of the message to the Reader.
func (p *prelude) leave() {
	p.over = true
	p.Reader.Skip(p.read, nil)
	p.Reader.Feed(p.window)
	if p.window = nil; p.ended {
		p.end(p.broken)
	}
}

func (p *prelude) Delta() []byte {
	if p.delta != nil || !p.over {
		return p.delta
	}
	return p.Reader.Delta()
}

// Opening returns 0: the reasoning ends with a tag of its own.
func (p *prelude) Opening() byte { return 0 }

func (p *prelude) Skip(n int, text []byte) bool { return p.over && p.Reader.Skip(n, text) }

func (p *prelude) Steps() int { return p.steps + p.Reader.Steps() }
