package corpus

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

var (
	welcomeShape = plainShape("name ops protocol spec version")
	refusalShape = plainShape("code message?")
	issueShape   = plainShape("code path at")
)

// plainShape returns the shape of an object that has no other fields.
func plainShape(names string) shape { return shapeOf(strings.ReplaceAll(names, "?", ""), names) }

// ReadWelcome reads the answer to hello. The faults are what is wrong with it, for
// people.
func ReadWelcome(line []byte) (w Welcome, faults []string) {
	r := reader{strict: true}
	if members := r.decode(line); members != nil {
		r.object("", members, welcomeShape, &w.Name, &w.Ops, &w.Protocol, &w.Spec, &w.Version)
	}
	return w, r.faults
}

// resultOf is the member that answers an operation.
var resultOf = map[string]string{
	Parse: "events", Feed: "events", Close: "events", Reset: "events",
	Format: "text", Manual: "text", Sig: "lines",
}

// ReadAnswer reads the answer to a request for op. The faults are what is wrong with its
// shape, each with its place; members that the protocol doesn't know are faults only if
// strict is set. Without an object as its answer, Seq is nil.
func ReadAnswer(op string, line []byte, strict bool) (a Answer, faults []string) {
	r := reader{strict: strict, events: streamEvents}
	if op == Parse {
		r.events = wholeEvents
	}
	members := r.decode(line)
	if members == nil {
		return a, r.faults
	}
	switch seq := members["seq"].(type) {
	case float64:
		a.Seq = strconv.AppendFloat(nil, seq, 'f', -1, 64)
	case nil:
		r.fault("seq", "is missing")
	default:
		r.wrong("seq", "a number", seq)
		a.Seq, _ = json.Marshal(seq) // it was decoded from JSON
	}
	result := resultOf[op]
	r.unknown("", members, shape{{name: "error"}, {name: result}, {name: "seq"}, {name: "skip"}})
	to := map[string]any{"events": &a.Events, "text": &a.Text, "lines": &a.Lines,
		"error": &a.Error, "skip": &a.Skip}
	n := 0
	for _, name := range []string{result, "error", "skip"} {
		if v, ok := members[name]; ok {
			r.value(name, member{name: name, required: true}, v, to[name])
			n++
		}
	}
	if n != 1 {
		r.fault("the answer", "has %d of the members %s, error and skip; want one", n, result)
	}
	return a, r.faults
}

// A reader takes JSON apart and collects what is wrong with it. Unlike package json, it
// distinguishes upper and lower case in the names of members, and reports members that are
// missing.
type reader struct {
	strict bool // unknown members are faults
	events map[string]shape
	faults []string
}

func (r *reader) fault(at, format string, args ...any) {
	r.faults = append(r.faults, at+" "+fmt.Sprintf(format, args...))
}

// wrong reports a value of another kind.
func (r *reader) wrong(at, want string, v any) {
	r.fault(at, "is %s; want %s", kindOf(v), want)
}

func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case float64:
		return "the number " + fmt.Sprint(v)
	case string:
		if len(v) > 40 {
			v = strings.ToValidUTF8(v[:40], "") + "…"
		}
		return "the string " + string(appendString(nil, v))
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(v)
}

// decode returns the members of the object in a line, or nil if there is no object.
func (r *reader) decode(line []byte) map[string]any {
	var v any
	if err := json.Unmarshal(line, &v); err != nil {
		r.fault("the answer", "isn't JSON: %s", err)
		return nil
	}
	return r.members("the answer", v)
}

// object reads the members of an object that belong to its shape.
func (r *reader) object(at string, members map[string]any, want shape, fields ...any) {
	for _, m := range want {
		if v, ok := members[m.name]; ok {
			r.value(at+m.name, m, v, fields[m.field])
		} else if m.required && m.name != "closed" { // which is false then
			r.fault(at+m.name, "is missing")
		}
	}
	r.unknown(at, members, want)
}

// unknown reports the members that don't belong to a shape.
func (r *reader) unknown(at string, members map[string]any, want shape) {
	if !r.strict {
		return
	}
	var names []string
	for _, m := range want {
		names = append(names, m.name)
	}
	slices.Sort(names)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !want.has(name) {
			r.fault("unknown field", "%s (want %s)", appendString(nil, at+name),
				strings.Join(names, ", "))
		}
	}
}

// full are the members that are not empty unless they are optional.
var full = []string{"name", "version", "spec", "code", "skip"}

// value reads the value of a member.
func (r *reader) value(at string, m member, v, to any) {
	want, ok := "", true
	switch to := to.(type) {
	case *string:
		want = "a string"
		*to, ok = v.(string)
		if ok && m.name == "input" {
			want, ok = "JSON as text, in a string", json.Valid([]byte(*to))
		} else if m.required && slices.Contains(full, m.name) {
			want, ok = "a string that is not empty", *to != ""
		}
	case *int:
		want = "a number of bytes or a count"
		n, isNumber := v.(float64)
		ok = isNumber && n >= 0 && n == math.Trunc(n) && n <= 1<<53
		*to = int(n)
	case *bool:
		want = "true or false"
		*to, ok = v.(bool)
	case *Bytes:
		want = `a string, or {"b64": "…"} where it is not UTF-8`
		*to, ok = bytesOf(v)
	case *[]string:
		list(r, at, v, to, func(at string, v any, to *string) {
			r.value(at, member{}, v, to)
		})
	case *[]Issue:
		list(r, at, v, to, r.issue)
	case *[]Event:
		list(r, at, v, to, r.event)
	case **Refusal:
		*to = &Refusal{}
		if members := r.members(at, v); members != nil {
			r.object(at+".", members, refusalShape, &(*to).Code, &(*to).Message)
		}
	}
	if !ok {
		r.wrong(at, want, v)
	}
}

// bytesOf returns the text of a string, or of {"b64": "…"}.
func bytesOf(v any) (Bytes, bool) {
	switch v := v.(type) {
	case string:
		return Bytes(v), true
	case map[string]any:
		coded, _ := v["b64"].(string)
		data, err := base64.StdEncoding.DecodeString(coded)
		return data, err == nil && len(v) == 1
	}
	return nil, false
}

// members returns the members of an object, or nil if it isn't one.
func (r *reader) members(at string, v any) map[string]any {
	members, ok := v.(map[string]any)
	if !ok {
		r.wrong(at, "an object", v)
	}
	return members
}

// list reads the items of an array.
func list[T any](r *reader, at string, v any, to *[]T, item func(at string, v any, to *T)) {
	items, ok := v.([]any)
	if !ok {
		r.wrong(at, "an array", v)
	}
	*to = make([]T, len(items))
	for i := range items {
		item(at+"["+strconv.Itoa(i)+"]", items[i], &(*to)[i])
	}
}

func (r *reader) issue(at string, v any, i *Issue) {
	if members := r.members(at, v); members != nil {
		r.object(at+".", members, issueShape, &i.Code, &i.Path, &i.At)
	}
}

// event reads an event, whose members depend on its type.
func (r *reader) event(at string, v any, e *Event) {
	members := r.members(at, v)
	if members == nil {
		return
	}
	e.Type, _ = members["type"].(string)
	want, ok := r.events[e.Type]
	if !ok {
		types := slices.Sorted(maps.Keys(r.events))
		r.wrong(at+".type", "one of "+strings.Join(types, ", "), members["type"])
		return
	}
	delete(members, "type")
	r.object(at+".", members, want, e.fields()...)
}
