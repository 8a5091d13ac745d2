package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
)

// Models write the name of a tool under nameKeys, in any format. In an envelope, ignoredKeys mean
// nothing.
var (
	nameKeys    = []string{"name", "tool", "tool_name", "function", "function_name"}
	ignoredKeys = []string{"id", "type", "call_id", "tool_call_id", "index"}
)

// opener reads the opener. It returns the method that reads the rest of the call, or nil if
// the span begins with nothing like an opener.
func (r *reader) opener() (body func()) {
	open := r.Format.Call.Open
	if r.has(0, open) {
		r.i = len(open)
		if r.json {
			return r.jsonBody
		}
		return r.body
	}
	stem := len(open) - len(">")
	if r.json || r.end <= stem || !strings.EqualFold(string(r.Text[:stem]), open[:stem]) {
		return nil
	}
	r.call.Near = true
	r.i = r.skip(stem)
	switch {
	case r.at(r.i) == '>':
		r.note("opener", 0)
		r.i++
		return r.body
	case r.i == stem:
		return nil
	}
	r.note("attributes", stem)
	return r.attributes
}

// attributes reads what follows the word of the opener in <call t a="x"/>,
// <call name="t">…</call>, and the like.
func (r *reader) attributes() {
	name, at := r.name()
	if r.at(r.i) == '=' && slices.Contains(nameKeys, name) {
		r.i++
		v := r.value(nil, '>')
		name, at = string(v.Text), v.At
	}
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

// closer removes the closing tag from the end of the span, and the mark that ends the function.
// The tag of a near miss is spelled in any case.
func (r *reader) closer() {
	n := len(r.Text) - len(r.Format.Call.Close)
	if r.Closed && n >= 0 && strings.EqualFold(string(r.Text[n:]), r.Format.Call.Close) {
		r.end = n
	}
	if mark := r.Format.Function.Close; r.json && mark != "" {
		body := bytes.TrimRight(r.Text[:r.end], lexeme.Whitespace)
		r.end = len(bytes.TrimSuffix(body, []byte(mark)))
	}
}

// isComplete reports whether a call without a closing tag is whole: the next call begins on a
// new line after it, or the message ends where no argument can follow.
func (r *reader) isComplete() bool {
	r.note("missing-close", r.end)
	if r.json || r.Last {
		return r.json || r.call.Object != nil || r.hasAll()
	}
	text := bytes.TrimRight(r.Text, lexeme.Whitespace)
	return bytes.IndexByte(r.Text[len(text):], '\n') >= 0
}

// hasAll reports whether the call contains all arguments that its tool has, and the last one, or
// the name, has certainly ended.
func (r *reader) hasAll() bool {
	t, args := r.argumentsType(), r.call.Args
	if t == nil || !t.Closed || len(args) != len(t.Fields) {
		return false
	}
	if slices.ContainsFunc(args, r.isUndeclared) { // more may follow in the object of a path
		return false
	}
	if len(args) > 0 {
		v := args[len(args)-1].Value
		if v.Kind != Word {
			return r.hasEnded(v, nil)
		}
	}
	return lexeme.IsSpace(r.Text[r.end-1])
}

// body reads what is between the tags of the wire format.
func (r *reader) body() {
	r.space()
	envelope := func() {
		r.note("envelope", r.i)
		r.envelope(r.value(nil, '}'))
	}
	switch r.at(r.i) {
	case '{':
		envelope()
		return
	case '`', '<':
		r.note("json-tag", r.i)
		r.wrapped(envelope)
		return
	}
	r.setTool(r.name())
	from := r.i
	r.space()
	switch c := r.at(r.i); {
	case c == '(':
		r.parentheses()
	case c == '{':
		r.object()
	case c == '`' || c == '<':
		r.note("json-tag", r.i)
		r.wrapped(r.object)
	case r.i > from || r.i == r.end:
		r.arguments(0)
	default:
		r.refuse()
	}
}

// jsonBody reads what is between the tags of a format whose calls are JSON.
func (r *reader) jsonBody() {
	body := func() { r.envelope(r.value(nil, '}')) }
	r.mayLackBrace = r.Format.Function.End == "" && r.Closed
	if r.Format.Function.End != "" {
		n := bytes.Index(r.Text[:r.end], []byte(r.Format.Function.End))
		if n < 0 {
			r.refuse()
			return
		}
		r.i = n + len(r.Format.Function.End)
		r.setTool(r.Name, r.NameAt)
		body = r.object
	}
	r.space()
	switch r.at(r.i) {
	case 0: // the body ends, so there are no arguments
		r.refuseIf(!r.Closed || r.tool == nil)
		r.note("envelope", r.i)
		r.call.Object = &Value{Kind: Object, At: r.i, End: r.i}
	case '`':
		r.note("fence", r.i)
		r.wrapped(body)
	case '[':
		r.note("list", r.i)
		r.i++
		r.space()
		body()
		r.space()
		r.expect("]")
	default:
		body()
		if r.space(); r.at(r.i) == '}' {
			r.note("extra-brace", r.i)
			r.i++
		}
	}
}

// parentheses reads the arguments of t(a=1, b="x") and t({"a":1}).
func (r *reader) parentheses() {
	r.note("parentheses", r.i)
	r.i++
	r.python = true
	if r.space(); r.at(r.i) == '{' {
		r.object()
	} else {
		r.arguments(')')
	}
	r.space()
	r.expect(")")
}

// wrapped reads something in a Markdown fence or in <json>…</json>.
func (r *reader) wrapped(body func()) {
	for _, w := range [...][2]string{{"```json", "```"}, {"```", "```"}, {"<json>", "</json>"}} {
		if r.has(r.i, w[0]) {
			r.i += len(w[0])
			r.space()
			body()
			r.space()
			r.expect(w[1])
			return
		}
	}
	r.refuse()
}

// object reads one object, which contains all arguments.
func (r *reader) object() {
	r.python = true
	r.setArguments(r.value(nil, '}'))
}

// envelope takes the name and the arguments from {"name":…,"arguments":{…}}. The object may
// have both in a member function, and the arguments may be members beside the name.
func (r *reader) envelope(v *Value) {
	var name, args *Value
	nameKey := ""
	flat := &Value{Kind: Object, At: v.At, End: v.End}
	for _, m := range r.unfold(v) {
		key := string(m.Key)
		isName := slices.Contains(r.Format.NameKeys, key) || slices.Contains(nameKeys, key)
		isOwn := slices.Contains(r.Format.ArgumentKeys, key)
		switch {
		case isName && m.Value.Kind == String && name == nil:
			name, nameKey = m.Value, key
			if !slices.Contains(r.Format.NameKeys, key) {
				r.noteJSON("envelope", v.At)
			}
		case isOwn || slices.Contains(format.ArgumentKeys, key):
			r.refuseIf(args != nil)
			args = m.Value
			if !isOwn {
				r.noteJSON("envelope", v.At)
			}
		default:
			r.refuseIf(key == nameKey)
			flat.Members = append(flat.Members, m)
		}
	}
	if name == nil || v.Kind != Object || r.refused {
		r.refuse()
		return
	}
	r.setTool(string(name.Text), name.At+1)
	flat.Members = slices.DeleteFunc(flat.Members, func(m Member) bool {
		isID := r.json && m.Value.Kind == String &&
			slices.Contains(r.Format.IDKeys, string(m.Key))
		ignored := (isID || isFunctionType(m)) && args != nil ||
			r.isUndeclared(m) && (r.json && args != nil || isIgnored(m))
		switch {
		case ignored && isID:
			r.call.ID = string(m.Value.Text)
		case ignored && !r.isUndeclared(m):
			r.noteJSON("envelope", v.At)
		}
		return ignored
	})
	switch {
	case len(flat.Members) > 0:
		r.refuseIf(args != nil || slices.ContainsFunc(flat.Members, r.isUndeclared))
		r.noteJSON("envelope", v.At)
		args = flat
	case args == nil || args.IsNull():
		args = flat
	}
	r.setArguments(args)
}

// setArguments makes an object, or a string that contains one, all arguments.
func (r *reader) setArguments(v *Value) {
	if v.Kind == String && !r.refused {
		inner, notes, ok := nested(v.Text, v.At, r.json, r.MaxDepth)
		if !ok {
			r.refuse()
			return
		}
		for _, n := range notes {
			r.note(n.Name, n.At)
		}
		v = inner
	}
	r.refuseIf(v.Kind != Object)
	r.call.Object = v
}

func (r *reader) isUndeclared(m Member) bool { return r.argumentsType().Field(m.Key) == nil }

// isIgnored reports whether a member of an envelope means nothing.
func isIgnored(m Member) bool {
	return m.Value.Kind <= String && slices.Contains(ignoredKeys, string(m.Key))
}

// isFunctionType reports whether a member is the type that APIs give to calls.
func isFunctionType(m Member) bool {
	return string(m.Key) == "type" && m.Value.Kind == String && string(m.Value.Text) == "function"
}

// unfold returns the members of an envelope. Those of a member function replace it.
func (r *reader) unfold(v *Value) []Member {
	for i, m := range v.Members {
		if string(m.Key) == "function" && m.Value.Kind == Object {
			r.noteJSON("envelope", v.At)
			return slices.Concat(v.Members[:i], v.Members[i+1:], m.Value.Members)
		}
	}
	return v.Members
}
