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

// ReadWelcome reads the answer to hello. The faults are what is wrong with it, for
// people.
func ReadWelcome(line []byte) (w Welcome, faults []string) {
	r := reader{strict: true}
	members := r.object("the answer", decodeAny(&r, line))
	r.known("", members, "protocol", "name", "version", "spec", "ops")
	if v, ok := r.required("", members, "protocol"); ok {
		w.Protocol = r.integer("protocol", v)
	}
	for name, to := range map[string]*string{
		"name": &w.Name, "version": &w.Version, "spec": &w.Spec,
	} {
		if v, ok := r.required("", members, name); ok {
			*to = r.word(name, v)
		}
	}
	if v, ok := r.required("", members, "ops"); ok {
		w.Ops = r.words("ops", v)
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
	r := reader{strict: strict}
	members := r.object("the answer", decodeAny(&r, line))
	if members == nil {
		return a, r.faults
	}
	if v, ok := r.required("", members, "seq"); ok {
		if n, isNumber := v.(float64); isNumber {
			a.Seq = strconv.AppendFloat(nil, n, 'f', -1, 64)
		} else {
			r.wrong("seq", "a number", v)
			a.Seq, _ = json.Marshal(v) // it was decoded from JSON
		}
	}
	result := resultOf[op]
	r.known("", members, "seq", result, "error", "skip")
	given := 0
	for _, name := range []string{result, "error", "skip"} {
		if _, ok := members[name]; ok {
			given++
		}
	}
	if given != 1 {
		r.fault("the answer", "has %d of the members %s, error and skip; want one", given, result)
		return a, r.faults
	}
	if v, ok := members["error"]; ok {
		a.Error = r.refusal(v)
	} else if v, ok := members["skip"]; ok {
		a.Skip = r.word("skip", v)
	} else {
		r.result(&a, op, result, members[result])
	}
	return a, r.faults
}

// result reads the member that answers op.
func (r *reader) result(a *Answer, op, name string, v any) {
	switch name {
	case "text":
		a.Text = r.text(name, v)
	case "lines":
		a.Lines = r.words(name, v)
	default:
		shapes := streamShapes
		if op == Parse {
			shapes = wholeShapes
		}
		items := r.list(name, v)
		a.Events = make([]Event, len(items))
		for i, item := range items {
			r.event(&a.Events[i], fmt.Sprintf("events[%d]", i), item, shapes)
		}
	}
}

// A reader takes decoded JSON apart and collects what is wrong with it.
type reader struct {
	strict bool // unknown members are faults
	faults []string
}

// decodeAny decodes the only JSON value of a line.
func decodeAny(r *reader, line []byte) any {
	var v any
	if err := json.Unmarshal(line, &v); err != nil {
		r.fault("the answer", "isn't JSON: %s", err)
		return invalid{}
	}
	return v
}

// invalid is the value of a line that isn't JSON, which has been reported.
type invalid struct{}

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
	case bool:
		return fmt.Sprint(v)
	case float64:
		return "the number " + fmt.Sprint(v)
	case string:
		if len(v) > 40 {
			v = strings.ToValidUTF8(v[:40], "") + "…"
		}
		return "the string " + string(appendString(nil, v))
	case []any:
		return "an array"
	}
	return "an object"
}

func (r *reader) object(at string, v any) map[string]any {
	if members, ok := v.(map[string]any); ok {
		return members
	}
	if v != (any)(invalid{}) {
		r.wrong(at, "an object", v)
	}
	return nil
}

// required returns a member, which must be there.
func (r *reader) required(at string, members map[string]any, name string) (any, bool) {
	v, ok := members[name]
	if !ok && members != nil {
		r.fault(at+name, "is missing")
	}
	return v, ok
}

// known reports the members that have none of the names.
func (r *reader) known(at string, members map[string]any, names ...string) {
	if !r.strict {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(names, name) {
			want := slices.Sorted(slices.Values(names))
			r.fault("unknown field", "%s (want %s)", appendString(nil, at+name),
				strings.Join(want, ", "))
		}
	}
}

func (r *reader) list(at string, v any) []any {
	items, ok := v.([]any)
	if !ok {
		r.wrong(at, "an array", v)
	}
	return items
}

func (r *reader) words(at string, v any) []string {
	items := r.list(at, v)
	words := make([]string, len(items))
	for i, item := range items {
		words[i], _ = item.(string)
		if _, ok := item.(string); !ok {
			r.wrong(fmt.Sprintf("%s[%d]", at, i), "a string", item)
		}
	}
	return words
}

// word reads a string that isn't empty.
func (r *reader) word(at string, v any) string {
	s, ok := v.(string)
	if !ok || s == "" {
		r.wrong(at, "a string that is not empty", v)
	}
	return s
}

func (r *reader) integer(at string, v any) int {
	n, ok := v.(float64)
	if !ok || n < 0 || n != math.Trunc(n) || n > 1<<53 {
		r.wrong(at, "a number of bytes or a count", v)
		return 0
	}
	return int(n)
}

// text reads a string, or {"b64": "…"}.
func (r *reader) text(at string, v any) Bytes {
	if s, ok := v.(string); ok {
		return Bytes(s)
	}
	if members, ok := v.(map[string]any); ok && len(members) == 1 {
		if coded, ok := members["b64"].(string); ok {
			if data, err := base64.StdEncoding.DecodeString(coded); err == nil {
				return append(Bytes{}, data...)
			}
		}
	}
	r.wrong(at, `a string, or {"b64": "…"} where it is not UTF-8`, v)
	return nil
}

func (r *reader) refusal(v any) *Refusal {
	members := r.object("error", v)
	r.known("error.", members, "code", "message")
	refusal := &Refusal{}
	if code, ok := r.required("error.", members, "code"); ok {
		refusal.Code = r.word("error.code", code)
	}
	if message, ok := members["message"]; ok {
		text, ok := message.(string)
		if !ok {
			r.wrong("error.message", "a string", message)
		}
		refusal.Message = text
	}
	return refusal
}

// event reads an event, whose members depend on its type.
func (r *reader) event(e *Event, at string, v any, shapes map[string]shape) {
	members, ok := v.(map[string]any)
	if !ok {
		r.wrong(at, "an event, which is an object", v)
		return
	}
	e.Type, _ = members["type"].(string)
	shape, ok := shapes[e.Type]
	if !ok {
		want := strings.Join(slices.Sorted(maps.Keys(shapes)), ", ")
		r.wrong(at+".type", "one of "+want, members["type"])
		return
	}
	found := 1
	for _, m := range shape {
		v, ok := members[m.name]
		switch {
		case ok:
			found++
			r.member(e, at+"."+m.name, m, v)
		case !m.optional && m.name != "closed":
			r.fault(at+"."+m.name, "is missing")
		}
	}
	if found < len(members) && r.strict {
		names := []string{"type"}
		for _, m := range shape {
			names = append(names, m.name)
		}
		r.known(at+".", members, names...)
	}
}

// member reads a member of an event.
func (r *reader) member(e *Event, at string, m member, v any) {
	if n := e.number(m.name); n != nil {
		*n = r.integer(at, v)
	} else if b := e.flag(m.name); b != nil {
		is, ok := v.(bool)
		*b = is
		if !ok {
			r.wrong(at, "true or false", v)
		}
	} else if m.name == "text" {
		e.Text = r.text(at, v)
	} else if m.name == "issues" {
		e.Issues = r.issues(at, v)
	} else {
		r.string(e.word(m.name), at, m, v)
	}
}

// string reads a member that is a string.
func (r *reader) string(to *string, at string, m member, v any) {
	s, ok := v.(string)
	switch {
	case !ok:
		r.wrong(at, "a string", v)
	case s == "" && (m.name == "name" || m.name == "code") && !m.optional:
		r.wrong(at, "a string that is not empty", v)
	case m.name == "input" && !json.Valid([]byte(s)):
		r.wrong(at, "JSON as text, in a string", v)
	}
	*to = s
}

func (r *reader) issues(at string, v any) []Issue {
	items := r.list(at, v)
	issues := make([]Issue, len(items))
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", at, i)
		members := r.object(at, item)
		r.known(at+".", members, "code", "path", "at")
		if v, ok := r.required(at+".", members, "code"); ok {
			issues[i].Code = r.word(at+".code", v)
		}
		if v, ok := r.required(at+".", members, "path"); ok {
			issues[i].Path, ok = v.(string)
			if !ok {
				r.wrong(at+".path", "a string", v)
			}
		}
		if v, ok := r.required(at+".", members, "at"); ok {
			issues[i].At = r.integer(at+".at", v)
		}
	}
	return issues
}
