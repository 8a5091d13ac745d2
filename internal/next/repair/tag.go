package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
)

// opener reads the opener. It returns the method that reads the rest of the call, or nil if
// the span begins with nothing like an opener.
func (r *reader) opener() (body func()) {
	if r.has(0, r.Open) {
		r.i = len(r.Open)
		if r.JSON {
			return r.jsonBody
		}
		return r.body
	}
	stem := len(r.Open) - len(">")
	if r.JSON || r.end <= stem || !strings.EqualFold(string(r.Text[:stem]), r.Open[:stem]) {
		return nil
	}
	r.call.Near = true
	return r.nearOpener(stem)
}

// nearOpener reads an opener after its word, which ends at an index: one in another case or
// with whitespace (<CALL>, <call >), or one with the name in it (<call t, <call name="t">,
// <call:t>, <call=t>).
func (r *reader) nearOpener(from int) (body func()) {
	r.i = from
	if c := r.at(r.i); c == ':' || c == '=' {
		r.i++
	}
	r.space()
	switch {
	case r.at(r.i) == '>':
		r.note("opener", 0)
		r.i++
		return r.body
	case r.i == from:
		return nil
	}
	name, at := r.markedName()
	if r.at(r.i) == '=' && slices.Contains(nameKeys, name) {
		r.i++
		name, at = r.markedName()
	}
	if name == "" {
		return nil
	}
	r.note("attributes", from)
	return func() { r.attributes(name, at) }
}

// attributes reads what follows the name in <call t a="x"/>, <call name="t">…</call>, and the
// like.
func (r *reader) attributes(name string, at int) {
	r.setTool(name, at)
	r.arguments('>')
	if r.has(r.i, "/>") {
		r.i += len("/>")
		return
	}
	r.expect(">")
	r.isSeparated = true // an argument may follow directly
	if r.space(); r.at(r.i) == '{' && r.count == 0 {
		r.object()
		return
	}
	r.arguments(0)
}

// otherClosers are closing tags of other formats that models write in ours.
var otherClosers = [...]string{
	"</tool_call>", "</function_call>", "</function>", "</invoke>", "</tool>", "</calls>",
}

// closer removes the closing tag from the end of the span, and a wrong one before or instead
// of it. It reports whether there was one.
func (r *reader) closer() bool {
	if r.Closed && bytes.HasSuffix(r.Text, []byte(r.Close)) {
		r.end -= len(r.Close)
	}
	if r.JSON {
		return r.Closed
	}
	text := bytes.TrimRight(r.Text[:r.end], lexeme.Whitespace)
	escaped := r.Open[:1] + `\` + r.Close[1:]
	for _, tag := range append(otherClosers[:], r.Close, escaped) {
		from := len(text) - len(tag)
		if from <= len(r.Open) || !strings.EqualFold(string(text[from:]), tag) {
			continue
		}
		if !r.call.Near {
			r.note("wrong-close", from)
		}
		r.end = from
		return true
	}
	return r.Closed
}

// isComplete reports whether a call without a closing tag is whole: the next call begins on a
// new line after it, or no argument can follow.
func (r *reader) isComplete() bool {
	r.note("missing-close", r.end)
	if r.JSON || r.call.Object != nil && r.Last {
		return true
	}
	tail := r.Text[:r.end]
	text := bytes.TrimRight(tail, lexeme.Whitespace)
	if !r.Last {
		return bytes.IndexByte(tail[len(text):], '\n') >= 0
	}
	t := r.argumentsType()
	if t == nil || !t.Closed || r.count < len(t.Fields) {
		return false
	}
	return len(text) < len(tail) || strings.IndexByte(`"']}`, text[len(text)-1]) >= 0
}
