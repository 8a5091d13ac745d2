package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
)

// Models write the name of a tool under nameKeys, in any format. In an envelope, ignoredKeys mean
// nothing.
var (
	nameKeys    = []string{"name", "tool", "tool_name", "function", "function_name"}
	ignoredKeys = []string{"id", "type", "call_id", "tool_call_id", "index"}
)

// opener reads the opener. It returns the method that reads the rest of the call, or nil if
// the span begins with nothing like an opener.
func (r *reader) opener() (rest func()) {
	open := r.Format.Call.Open
	if r.has(0, open) {
		r.i = len(open)
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
	for i := range args { // more may follow in the object of a path
		if t.Field(args[i].Path) == nil {
			return false
		}
	}
	if len(args) == 0 || args[len(args)-1].Value.Kind == Word {
		return lexeme.IsSpace(r.Text[r.end-1])
	}
	last := args[len(args)-1].Value.Source // several words may go on
	return bytes.IndexByte([]byte(`"']}`), last[len(last)-1]) >= 0
}

// body reads what is between the tags: an envelope, or a name and what comes after it. In JSON
// formats in which the name comes first, the Lexer has found it.
func (r *reader) body() {
	if mark := r.Format.Function.End; r.json && mark != "" && r.tool == nil {
		n := bytes.Index(r.Text[:r.end], []byte(mark))
		r.refuseIf(n < 0)
		if !r.refused {
			r.i = n + len(mark)
			r.setTool(r.Name, r.NameAt)
		}
	}
	from := r.i
	r.space()
	switch c := r.at(r.i); {
	case r.refused:
	case c == '`' || c == '<':
		r.wrapped()
	case c == '[' && r.json:
		r.note("list", r.i)
		r.inside("[", "]")
	case c == '{':
		r.object()
		if r.space(); r.json && !r.isInside && r.at(r.i) == '}' {
			r.note("extra-brace", r.i)
			r.i++
		}
	case r.json:
		r.refuse()
	case r.tool == nil:
		r.setTool(r.name())
		r.body()
	case c == '(':
		r.parentheses()
	case r.i > from || r.i == r.end:
		r.arguments(0)
	default:
		r.refuse()
	}
}

// inside reads a body with something around it.
func (r *reader) inside(open, end string) {
	r.refuseIf(r.isInside)
	r.isInside = true
	r.i = min(r.i+len(open), r.end)
	r.body()
	r.space()
	r.expect(end)
}

// wrapped reads a body in a Markdown fence or in <json>…</json>.
func (r *reader) wrapped() {
	name := "json-tag"
	if r.json {
		name = "fence"
	}
	r.note(name, r.i)
	for _, w := range [...][2]string{{"```json", "```"}, {"```", "```"}, {"<json>", "</json>"}} {
		if r.has(r.i, w[0]) {
			r.inside(w[0], w[1])
			return
		}
	}
	r.refuse()
}

// parentheses reads the arguments of t(a=1, b="x") and t({"a":1}).
func (r *reader) parentheses() {
	r.note("parentheses", r.i)
	r.i++
	if r.space(); r.at(r.i) == '{' {
		r.object()
	} else {
		r.arguments(')')
	}
	r.space()
	r.expect(")")
}

// object reads one object: all arguments, or an envelope around them.
func (r *reader) object() {
	v := r.value(nil, '}')
	switch {
	case r.refused:
	case r.tool != nil:
		r.setArguments(v)
	default:
		if !r.json {
			r.note("envelope", v.At)
		}
		r.envelope(v)
	}
}

// envelope takes the name and the arguments from {"name":…,"arguments":{…}}. The object may
// have both in a member function, and the arguments may be members beside the name.
func (r *reader) envelope(v Value) {
	var name, nameKey string
	var args []byte
	var flat rawjson.Object
	for _, m := range unfold(rawjson.ParseObject(v.Text)) {
		isName := slices.Contains(r.Format.NameKeys, m.Key) || slices.Contains(nameKeys, m.Key)
		isOwn := slices.Contains(r.Format.ArgumentKeys, m.Key)
		switch {
		case isName && nameKey == "" && rawjson.IsString(m.Value):
			name, nameKey = rawjson.Text(m.Value), m.Key
		case isOwn || slices.Contains(format.ArgumentKeys, m.Key):
			r.refuseIf(args != nil)
			args = m.Value
			if !isOwn {
				r.noteJSON("envelope", v.At)
			}
		default:
			r.refuseIf(m.Key == nameKey)
			flat = append(flat, m)
		}
	}
	at := v.At
	if name == r.Name {
		at = r.NameAt
	}
	r.setTool(name, at)
	if r.refused {
		return
	}
	flat = slices.DeleteFunc(flat, func(m rawjson.Member) bool {
		isExtra := r.json && args != nil || slices.Contains(ignoredKeys, m.Key)
		isExtra = isExtra && r.isUndeclared(m)
		isID := r.json && slices.Contains(r.Format.IDKeys, m.Key)
		if isExtra && isID && rawjson.IsString(m.Value) {
			r.call.ID = rawjson.Text(m.Value)
		}
		return isExtra
	})
	switch {
	case len(flat) > 0:
		r.refuseIf(args != nil || slices.ContainsFunc(flat, r.isUndeclared))
		r.noteJSON("envelope", v.At)
		args = flat.Append(nil)
	case rawjson.IsNull(args):
		args = []byte("{}")
	}
	v.Text = args
	if rawjson.IsString(args) {
		v.Kind, v.Text = String, []byte(rawjson.Text(args))
	}
	r.setArguments(v)
}

// setArguments makes an object, or a string that contains one, all arguments.
func (r *reader) setArguments(v Value) {
	if r.call.Encoded = v.Kind == String; r.call.Encoded {
		text, notes, ok := ReadJSON(v.Text, r.MaxDepth)
		r.refuseIf(!ok)
		for _, n := range notes {
			r.noteJSON(n.Name, v.At)
		}
		v.Kind, v.Text = JSON, text
	}
	members := rawjson.ParseObject(v.Text)
	r.refuseIf(members == nil || len(members) > r.MaxArguments)
	r.call.Object = &v
}

func (r *reader) isUndeclared(m rawjson.Member) bool {
	return r.argumentsType().Field([]byte(m.Key)) == nil
}

// unfold replaces a member function that is an object by the members of that object.
func unfold(members rawjson.Object) rawjson.Object {
	for i, m := range members {
		if inner := rawjson.ParseObject(m.Value); m.Key == "function" && inner != nil {
			return slices.Concat(members[:i], members[i+1:], inner)
		}
	}
	return members
}
