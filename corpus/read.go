package corpus

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

var (
	welcomeShape = shapeOf("name ops protocol spec version")
	refusalShape = shapeOf("code message?")
	issueShape   = shapeOf("code path at")
)

// ReadWelcome reads the answer to hello. The faults are what is wrong with it, for
// people.
func ReadWelcome(line []byte) (w Welcome, faults []string) {
	r := reader{strict: true}
	if members := r.decode(line, &w); members != nil {
		r.names("", members, welcomeShape)
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
	r := reader{strict: strict}
	members := r.decode(line, &a)
	if members == nil {
		return Answer{}, r.faults
	}
	result := resultOf[op]
	r.names("", members, shapeOf("error? "+result+"? seq skip?"))
	n := 0
	for _, name := range []string{result, "error", "skip"} {
		if _, ok := members[name]; ok {
			n++
		}
	}
	if n != 1 {
		r.fault("the answer", "has %d of the members %s, error and skip; want one", n, result)
	}
	a.Seq = nil
	if seq, ok := members["seq"].(float64); ok {
		a.Seq = strconv.AppendFloat(nil, seq, 'f', -1, 64)
	}
	if e, ok := members["error"].(map[string]any); ok {
		r.names("error.", e, refusalShape)
	}
	shapes := streamEvents
	if op == Parse {
		shapes = wholeEvents
	}
	r.list("events", members["events"], func(at string, e map[string]any) {
		kind, _ := e["type"].(string)
		want, ok := shapes[kind]
		if !ok {
			r.fault(at+"type", "is %q; want one of %s", kind,
				strings.Join(slices.Sorted(maps.Keys(shapes)), ", "))
			return
		}
		delete(e, "type")
		r.names(at, e, want)
		if input, ok := e["input"].(string); ok && !json.Valid([]byte(input)) {
			r.fault(at+"input", "is %q; want JSON as text", input)
		}
		r.list(at+"issues", e["issues"], func(at string, issue map[string]any) {
			r.names(at, issue, issueShape)
		})
	})
	return a, r.faults
}

// A reader collects what is wrong with JSON that it reads. Unlike package json, it distinguishes
// upper and lower case in the names of members, and reports members that are missing.
type reader struct {
	strict bool // unknown members are faults
	faults []string
}

func (r *reader) fault(at, format string, args ...any) {
	r.faults = append(r.faults, at+" "+fmt.Sprintf(format, args...))
}

// kindNames are what JSON calls the kinds of values that a message has.
var kindNames = map[reflect.Kind]string{
	reflect.Map: "object", reflect.Struct: "object", reflect.Slice: "array",
	reflect.String: "string", reflect.Int: "whole number", reflect.Bool: "boolean",
}

// decode decodes the object in a line, and returns its members, or nil if there is none.
func (r *reader) decode(line []byte, to any) (members map[string]any) {
	var other *json.UnmarshalTypeError
	err := json.Unmarshal(line, &members)
	if err != nil && !errors.As(err, &other) {
		r.fault("the answer", "isn't JSON: %s", err)
		return nil
	}
	if err == nil {
		err = json.Unmarshal(line, to)
	}
	switch {
	case errors.As(err, &other):
		r.fault(cmp.Or(other.Field, "the answer"), "is %s; want %s", other.Value,
			kindNames[other.Type.Kind()])
	case err != nil:
		r.fault("the answer:", "%s", err)
	case members == nil:
		r.fault("the answer", "is null; want an object")
	}
	return members
}

// list calls item for each object in an array.
func (r *reader) list(at string, v any, item func(at string, members map[string]any)) {
	items, _ := v.([]any)
	for i, v := range items {
		if members, ok := v.(map[string]any); ok {
			item(fmt.Sprintf("%s[%d].", at, i), members)
		}
	}
}

// names compares the names of members with those of a shape. A member that is null is missing.
func (r *reader) names(at string, members map[string]any, want shape) {
	var known []string
	for _, m := range want {
		known = append(known, m.name)
		_, isThere := members[m.name]
		needed := m.required && m.name != "closed" // which is false then
		if members[m.name] == nil && (isThere || needed) {
			r.fault(at+m.name, "is missing")
		}
	}
	if !r.strict {
		return
	}
	slices.Sort(known)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(known, name) {
			r.fault("unknown field", "%s (want %s)", appendString(nil, at+name),
				strings.Join(known, ", "))
		}
	}
}
