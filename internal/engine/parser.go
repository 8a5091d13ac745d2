package engine

import (
	"github.com/callwire/callwire/internal/lex"
	"github.com/callwire/callwire/sig"
)

// Parser reads one message after another, chunk by chunk.
//
//	parsing = { Feed | Break } Close [ Reset parsing ]
type Parser struct {
	lexer  lex.Lexer
	asm    Assembler
	closed bool
}

// NewParser returns a Parser. To create many Parsers of one catalog, call Compile once instead.
func NewParser(catalog *sig.Catalog, o *Options, mode Mode) (*Parser, error) {
	c, err := Compile(catalog, o, mode)
	if err != nil {
		return nil, err
	}
	p := c.NewParser()
	if o != nil {
		p.asm.newID = o.NewID
	}
	return p, nil
}

// NewParser returns a Parser that shares c. Its calls have the default IDs.
func (c *Config) NewParser() *Parser {
	p := new(Parser)
	p.asm.config = c
	p.lexer.Init(&p.asm, c.syntax)
	p.Reset()
	return p
}

// Feed reads the next chunk and returns the events that it completes. They are valid until the
// next Feed, and the chunk must not change until then. After Close there are none.
func (p *Parser) Feed(chunk []byte) []Event {
	if p.closed {
		return nil
	}
	p.asm.dropEvents()
	if d := p.asm.draft; d != nil && d.reading {
		d.renew(len(chunk))
	} else {
		p.releaseIdle()
	}
	p.lexer.Write(chunk)
	p.asm.flush()
	return p.asm.events
}

// Drop drops the events that were returned. Otherwise the next Feed does.
func (p *Parser) Drop() { p.asm.dropEvents() }

// Close ends the message and returns the last events.
func (p *Parser) Close() []Event { return p.end(false) }

// Abort is Close for a message that broke off.
func (p *Parser) Abort() []Event { return p.end(true) }

// Break ends what is held back, as Abort does. The message goes on after it.
func (p *Parser) Break() []Event {
	if p.closed {
		return nil
	}
	p.asm.dropEvents()
	p.asm.over, p.asm.aborted = true, true
	p.lexer.Break()
	p.asm.over, p.asm.aborted = false, false
	return p.asm.events
}

func (p *Parser) end(aborted bool) []Event {
	if p.closed {
		return nil
	}
	p.closed = true
	p.asm.dropEvents()
	p.asm.over, p.asm.aborted = true, aborted
	p.lexer.Close(aborted)
	p.asm.endText()
	return p.asm.events
}

// Reset prepares for a new message. It keeps buffers.
func (p *Parser) Reset() {
	p.closed = false
	p.lexer.Reset()
	p.asm.reset()
}

// Steps returns the work done since Reset, in bytes and keys looked at.
func (p *Parser) Steps() int { return p.lexer.Steps() + p.asm.steps() }

// releaseIdle releases the memory for calls when the second chunk since the last call begins in
// text. A server has tens of thousands of Parsers that wait in text for the next token of a model,
// and they share that memory.
func (p *Parser) releaseIdle() {
	d := p.asm.draft
	if d != nil {
		d.out, d.dead = d.out[:0], 0
	}
	if !p.lexer.InText() {
		return
	}
	if d != nil {
		d.quiet++
		if d.quiet == 1 {
			return
		}
	}
	p.lexer.Release()
	p.asm.release()
}

// Release gives the memory for calls to other Parsers. The events that were returned are then no
// longer valid. It does nothing inside of a call.
func (p *Parser) Release() {
	if p.lexer.InText() {
		p.lexer.Release()
		p.asm.dropEvents()
		p.asm.release()
	}
}
