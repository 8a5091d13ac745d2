package corpus

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ReadWelcome reads the answer to hello. The faults are what is wrong with it, for
// people.
func ReadWelcome(line []byte) (w Welcome, faults []string) {
	r := reader{strict: true}
	fields := map[string]any{"protocol": &w.Protocol, "name": &w.Name, "version": &w.Version,
		"spec": &w.Spec, "ops": &w.Ops}
	members := r.decode(line)
	if members != nil {
		r.fill("", members, membersOf("protocol name version spec ops"),
			func(name string) any { return fields[name] })
	}
	slices.Sort(r.faults)
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
	if r.strict {
		r.unknown("", members, "seq", result, "error", "skip")
	}
	given, n := "", 0
	for _, name := range []string{result, "error", "skip"} {
		if _, ok := members[name]; ok {
			given, n = name, n+1
		}
	}
	if n != 1 {
		r.fault("the answer", "has %d of the members %s, error and skip; want one", n, result)
		return a, r.faults
	}
	r.value(given, member{name: given}, members[given], a.field(given))
	return a, r.faults
}

// field returns a pointer to the field for a member.
func (a *Answer) field(name string) any {
	switch name {
	case "error":
		return &a.Error
	case "skip":
		return &a.Skip
	case "text":
		return &a.Text
	case "lines":
		return &a.Lines
	}
	return &a.Events
}

// A reader takes JSON apart and collects what is wrong with it. Unlike package json, it
// distinguishes upper and lower case in the names of members, and reports members that are
// missing.
type reader struct {
	strict bool // unknown members are faults
	events map[string][]member
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
	return r.object("the answer", v)
}

// object returns the members of an object, or nil if it isn't one.
func (r *reader) object(at string, v any) map[string]any {
	members, ok := v.(map[string]any)
	if !ok {
		r.wrong(at, "an object", v)
	}
	return members
}

// fill reads the members that an object has, or must have. field returns where a member is kept.
func (r *reader) fill(
	at string, members map[string]any, want []member, field func(name string) any,
) {
	for _, m := range want {
		if v, ok := members[m.name]; ok {
			r.value(at+m.name, m, v, field(m.name))
		} else if !m.optional && m.name != "closed" {
			r.fault(at+m.name, "is missing")
		}
	}
	if r.strict {
		var names []string
		for _, m := range want {
			names = append(names, m.name)
		}
		r.unknown(at, members, names...)
	}
}

// unknown reports the members that have none of the names.
func (r *reader) unknown(at string, members map[string]any, names ...string) {
	slices.Sort(names)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(names, name) {
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
		} else if !m.optional && slices.Contains(full, m.name) {
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
		for at, item := range r.list(at, v) {
			*to = append(*to, "")
			r.value(at, member{}, item, &(*to)[len(*to)-1])
		}
	case *[]Issue:
		for at, item := range r.list(at, v) {
			*to = append(*to, r.issue(at, item))
		}
	case *[]Event:
		items, isList := v.([]any)
		want, ok = "an array", isList
		*to = make([]Event, len(items))
		for i, item := range items {
			r.event(&(*to)[i], fmt.Sprintf("%s[%d]", at, i), item)
		}
	case **Refusal:
		*to = r.refusal(at, v)
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

// list yields the items of an array, each with its place.
func (r *reader) list(at string, v any) iter.Seq2[string, any] {
	items, ok := v.([]any)
	if !ok {
		r.wrong(at, "an array", v)
	}
	return func(yield func(string, any) bool) {
		for i, item := range items {
			if !yield(fmt.Sprintf("%s[%d]", at, i), item) {
				return
			}
		}
	}
}

func (r *reader) issue(at string, v any) (i Issue) {
	fields := map[string]any{"code": &i.Code, "path": &i.Path, "at": &i.At}
	if members := r.object(at, v); members != nil {
		r.fill(at+".", members, membersOf("code path at"),
			func(name string) any { return fields[name] })
	}
	return i
}

func (r *reader) refusal(at string, v any) *Refusal {
	to := &Refusal{}
	fields := map[string]any{"code": &to.Code, "message": &to.Message}
	if members := r.object(at, v); members != nil {
		r.fill(at+".", members, membersOf("code message?"),
			func(name string) any { return fields[name] })
	}
	return to
}

// event reads an event, whose members depend on its type.
func (r *reader) event(e *Event, at string, v any) {
	members, ok := v.(map[string]any)
	if !ok {
		r.wrong(at, "an event, which is an object", v)
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
	r.fill(at+".", members, want, e.field)
}
