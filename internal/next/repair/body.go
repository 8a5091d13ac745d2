package repair

import "slices"

// argumentKeys are the keys under which models write all arguments.
var argumentKeys = []string{
	"arguments", "args", "parameters", "params", "input", "tool_input", "kwargs",
}

// ignoredKeys are members of an envelope that mean nothing.
var ignoredKeys = []string{"id", "type", "call_id", "tool_call_id", "index"}

// IsEnvelopeKey reports whether a key looks like that of a member of an envelope.
func IsEnvelopeKey(key string) bool {
	return slices.Contains(nameKeys, key) || slices.Contains(argumentKeys, key)
}

// body reads what is between the tags of the wire format.
func (r *reader) body() {
	r.space()
	if c := r.at(r.i); c == '{' || c == '[' {
		r.note("envelope", r.i)
		r.envelope(r.brackets())
		return
	}
	r.name()
	from := r.i
	r.space()
	switch c := r.at(r.i); {
	case c == '(':
		r.parentheses()
	case c == '{':
		r.object()
	case c == '`':
		r.note("json-tag", r.i)
		r.fenced(r.object)
	case c == '<':
		r.tagged()
	case r.i > from, r.isSeparated, r.i == r.end:
		r.arguments(0)
	default:
		r.refuse()
	}
}

// jsonBody reads what is between the tags of a format whose calls are JSON.
func (r *reader) jsonBody() {
	r.space()
	if r.at(r.i) == '`' {
		r.note("fence", r.i)
		r.fenced(r.jsonCall)
		return
	}
	r.jsonCall()
}

// jsonCall reads an object with the name and the arguments. One brace may be missing at its
// end, or be too many.
func (r *reader) jsonCall() {
	if c := r.at(r.i); c != '{' && c != '[' {
		r.refuse()
		return
	}
	if r.at(r.i) == '[' {
		r.note("list", r.i)
	}
	r.envelope(r.brackets())
	r.space()
	if r.at(r.i) == '}' {
		r.note("extra-brace", r.i)
		r.i++
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
	if c := r.at(r.i); c == ';' || c == ',' {
		r.i++
	}
}

// fenced reads something in a Markdown fence.
func (r *reader) fenced(body func()) {
	r.expect("```")
	if r.has(r.i, "json") {
		r.i += len("json")
	}
	r.space()
	body()
	r.space()
	r.expect("```")
}

// tagged reads <json>{…}</json>, which contains all arguments.
func (r *reader) tagged() {
	r.note("json-tag", r.i)
	r.i++
	word, _ := r.nameWord()
	r.refuseIf(word != "json" && !slices.Contains(argumentKeys, word))
	r.expect(">")
	r.space()
	r.object()
	r.space()
	r.expect("</" + word + ">")
}

// object reads one object, or a string that contains one: all arguments, or an envelope around
// them.
func (r *reader) object() {
	at := r.i
	r.python = true
	v := r.value(nil, '}')
	if r.isEnvelope(v) {
		r.note("envelope", at)
		r.envelope(v)
		return
	}
	r.setArguments(v)
}

// isEnvelope reports whether an object contains the arguments in a member, and none of them
// itself.
func (r *reader) isEnvelope(v *Value) bool {
	t := r.argumentsType()
	if t == nil {
		return false
	}
	wraps := false
	for _, m := range v.Members {
		if t.Field(m.Key) != nil {
			return false
		}
		wraps = wraps || slices.Contains(argumentKeys, string(m.Key))
	}
	return wraps
}

// setArguments makes an object, or a string that contains one, all arguments.
func (r *reader) setArguments(v *Value) {
	if v.Kind == String && !r.refused {
		inner, notes, ok := nested(v.Text, v.At, Span{JSON: r.JSON, MaxDepth: r.MaxDepth})
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

// envelope takes the name and the arguments from {"name":…,"arguments":{…}}. The object may be
// the only element of an array, or have both in a member function. The name may be missing if
// it was read before, and the arguments may be members beside it.
func (r *reader) envelope(v *Value) {
	if v.Kind == Array && len(v.Members) == 1 {
		v = v.Members[0].Value
	}
	var name, args *Value
	nameKey := ""
	flat := &Value{Kind: Object, At: v.At, End: v.End}
	for _, m := range unfold(v.Members) {
		switch key := string(m.Key); {
		case slices.Contains(nameKeys, key) && m.Value.Kind == String && name == nil:
			name, nameKey = m.Value, key
		case slices.Contains(argumentKeys, key) && args == nil:
			args = m.Value
			if key != "arguments" && key != "parameters" {
				r.noteJSON("envelope", v.At)
			}
		default:
			r.refuseIf(key == nameKey)
			flat.Members = append(flat.Members, m)
		}
	}
	r.refuseIf(v.Kind != Object || name == nil && r.call.Name == "")
	if r.refused {
		return
	}
	if r.call.Name == "" {
		r.setTool(string(name.Text), name.At+1)
	} else if name != nil {
		r.refuseIf(!r.isNameOf(string(name.Text)))
	}
	anyMember := r.JSON && args != nil
	flat.Members = slices.DeleteFunc(flat.Members, func(m Member) bool {
		ignored := r.isUndeclared(m) && (anyMember || isIgnored(m))
		if ignored && r.JSON && string(m.Key) == "id" && m.Value.Kind == String {
			r.call.ID = string(m.Value.Text)
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

func (r *reader) isUndeclared(m Member) bool { return r.argumentsType().Field(m.Key) == nil }

// isIgnored reports whether a member of an envelope means nothing.
func isIgnored(m Member) bool {
	return m.Value.Kind <= String && slices.Contains(ignoredKeys, string(m.Key))
}

// unfold replaces a member function that is an object by the members of that object.
func unfold(members []Member) []Member {
	for i, m := range members {
		if string(m.Key) == "function" && m.Value.Kind == Object {
			return slices.Concat(members[:i], members[i+1:], m.Value.Members)
		}
	}
	return members
}

// isNameOf reports whether name means the tool of the call.
func (r *reader) isNameOf(name string) bool {
	return name == r.call.Name || r.tools.Meant(name) == r.tool
}
