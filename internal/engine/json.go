package engine

import (
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
)

type scanner = lexeme.Scanner

// writeJSON writes the JSON text of one array or object under t. All its issues are at offset
// at.
func (d *draft) writeJSON(t *sig.Type, text []byte, at int) {
	d.uncertain++
	s := d.scanner
	d.scanner = scanner{} // a string in the text may be JSON text too
	s.Depth, s.Unpaired = d.config.limits.Depth, true
	s.Reset(text)
	root := s.Next()
	d.begin(t, root.Kind == '{', at, root.Start)
	d.writeTokens(&s, at)
	d.uncertain--
	d.scanner = s
}

// encodedArguments writes the arguments, an object whose JSON text is d.text.
func (d *draft) encodedArguments(at int) {
	d.exact = true
	text := d.text
	d.text = nil
	if lexeme.SkipSpace(text, 0) == len(text) {
		text = append(text, "{}"...)
	}
	s := scanner{Text: text, Depth: d.config.limits.Depth + 1, Unpaired: true}
	if jsonKind(text) != sig.Object || !isJSON(s) {
		d.fail(lexer.NotAnObject, at)
		return
	}
	d.typ = d.argumentsType()
	d.report(lexer.Coerced, "", at, d.typ)
	d.writeTokens(&s, at)
	d.text = text
}

// isJSON reports whether s reads its text to the end.
func isJSON(s scanner) bool {
	for s.Next().Kind != 0 {
	}
	f, _ := s.Fault()
	return f == lexeme.NoFault
}

// writeTokens writes what s reads, up to the first fault. All of it is at offset at, or if that is
// none, at its offset in the text.
func (d *draft) writeTokens(s *scanner, at int) {
	for t := s.Next(); t.Kind != 0 && d.fault == ""; t = s.Next() {
		if at == none {
			d.writeToken(s, t, t.Start)
		} else {
			d.writeToken(s, t, at)
		}
	}
}

// writeToken writes the token t of s, which is at offset at.
func (d *draft) writeToken(s *scanner, t lexeme.JSONToken, at int) {
	switch t.Kind {
	case '{', '[':
		d.beginValue()
		d.begin(d.typ, t.Kind == '{', at, t.Start)
	case '}', ']':
		d.end(at, s.Text[d.top().src:t.End])
	case 'k':
		d.scratch = s.AppendUnquoted(d.scratch[:0], t)
		d.member(d.scratch, 0, at)
	case 's':
		d.beginValue()
		text := s.AppendUnquoted(d.text[:0], t)
		d.text = nil
		d.scalar(d.typ, text, true, at)
		d.text = text
	case 'l':
		word := s.Text[t.Start:t.End]
		if string(word) != "null" || !d.dropNull(at) {
			d.beginValue()
			d.scalar(d.typ, word, false, at)
		}
	}
}

// newDraft returns a draft for JSON text of its own, outside of messages.
func newDraft(limits lexer.Limits) *draft {
	d := &draft{config: &Config{limits: limits}}
	d.restart()
	return d
}

// restart prepares for another text.
func (d *draft) restart() {
	d.out, d.call = d.out[:0], call{}
	d.arguments.reset()
	d.frames = d.frames[:0]
	d.keys.truncate(0)
	d.allowance = allowance{remaining: maxAllowance}
	d.issues.begin(&d.allowance, 0)
}

// faultCodes are the codes of what is wrong with a JSON text.
var faultCodes = [...]lexer.Code{
	lexeme.NotJSON: lexer.InvalidJSON, lexeme.TooDeep: lexer.TooDeep,
	lexeme.NotUTF8: lexer.InvalidUTF8, lexeme.Unpaired: lexer.UnpairedSurrogate,
}

// compact returns JSON text without whitespace and with the fewest escapes, and otherwise as
// written. If it is not JSON or repeats a key, it returns the code and the index of the fault.
func compact(text []byte, depth int) (out []byte, code lexer.Code, at int) {
	d := newDraft(lexer.Limits{Depth: depth})
	d.exact = true
	s := scanner{Text: text, Depth: depth}
	d.writeTokens(&s, none)
	if f, at := s.Fault(); f != lexeme.NoFault {
		return nil, faultCodes[f], at
	}
	return d.out, d.fault, d.faultAt
}

// untyped is the Config of a draft for JSON text that no catalog describes.
var untyped = new(Config)

// isJSON reports whether text is JSON without repeated keys, and no deeper than depth.
func (d *draft) isJSON(text []byte, depth int) bool {
	if d.probe == nil {
		d.probe = new(draft)
	}
	p := d.probe
	p.config = untyped
	p.restart()
	p.exact = true
	s := &p.scanner
	s.Depth, s.Unpaired = depth, true
	s.Reset(text)
	for t := s.Next(); t.Kind != 0 && p.fault == ""; t = s.Next() {
		if t.Kind != 's' && t.Kind != 'l' { // only keys can be repeated
			p.writeToken(s, t, 0)
		}
	}
	f, _ := s.Fault()
	return p.fault == "" && f == lexeme.NoFault
}
