package engine

import (
	"bytes"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
)

// Raw values come from between tags, without quotes and escapes. If the schema allows an array,
// adjacent values with the same key become its elements, so such a value waits for the next key.

// rawValue is a raw value that waits: pendingText[from:to], at an offset in the message.
type rawValue struct{ from, to, at int }

// rawKey begins the argument with that key, unless its value joins those that wait.
func (d *draft) rawKey(key []byte, at int) {
	if len(d.pending) > 0 {
		d.scratch = lexeme.AppendQuoted(d.scratch[:0], key)
		if bytes.Equal(d.scratch, d.out[d.key:d.keyEnd]) {
			return
		}
		d.writePending()
	}
	d.argument(key, at, -1)
}

// raw takes the raw value d.text.
func (d *draft) raw(at int) {
	if t := d.typ; t.Says() && t.Kinds&sig.Array == 0 {
		d.writeRaw(t, d.text, at)
		return
	}
	if len(d.pending) == 0 {
		d.pendingText = d.pendingText[:0]
	}
	from := len(d.pendingText)
	d.pendingText = append(d.pendingText, d.text...)
	d.pending = append(d.pending, rawValue{from, len(d.pendingText), at})
}

// writePending writes the values that wait.
func (d *draft) writePending() {
	list := d.pending
	d.pending = d.pending[:0]
	if len(list) == 1 {
		d.writeRaw(d.typ, d.pendingText[list[0].from:list[0].to], list[0].at)
	} else {
		d.begin(d.typ, false, list[0].at, 0)
		for _, v := range list {
			d.beginValue()
			d.writeRaw(d.typ, d.pendingText[v.from:v.to], v.at)
		}
		d.end(list[len(list)-1].at, nil)
	}
	d.commit()
}

// writeRaw writes a raw value under t. It may contain whitespace, and JSON. Whitespace around it
// has no meaning unless a string is allowed.
func (d *draft) writeRaw(t *sig.Type, text []byte, at int) {
	word := text
	if t.Says() && t.Kinds&sig.String == 0 {
		word = bytes.TrimSpace(text)
	}
	literal := repair.PythonLiteral(word)
	isPython := literal != nil && d.syntax.Format().Python
	if isPython && t.Says() && t.Kinds&sig.LiteralKind(literal) != 0 {
		d.scalar(t, literal, false, at)
		return
	}
	if string(word) == "None" && t.Says() && t.Kinds&(sig.Null|sig.String) == sig.Null {
		d.issue(lexer.Coerced, t, at) // Python templates print null like this
		d.out = append(d.out, "null"...)
		return
	}
	if string(word) == "null" && d.dropNull(at) {
		return
	}
	k := jsonKind(word)
	if k == 0 || t.Says() && t.Kinds&k == 0 || !d.isJSON(word, d.room()) {
		if k == 0 || !d.rawJSON(t, word, at) {
			d.scalar(t, word, false, at)
		}
		return
	}
	// d.text is used for the strings in it.
	d.json = append(d.json[:0], word[lexeme.SkipSpace(word, 0):]...)
	d.writeJSON(t, d.json, at)
}
