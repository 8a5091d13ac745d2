package corpus

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// ReadWelcome reads the answer to hello. The faults are what is wrong with it, for
// people.
func ReadWelcome(line []byte) (w Welcome, faults []string) {
	r := reader{strict: true}
	r.decode(line, &w)
	r.compare(line, appendJSON(nil, &w))
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
	r.decode(line, &a)
	types := streamTypes
	if op == Parse {
		types = wholeTypes
	}
	for i := range a.Events {
		e := &a.Events[i]
		at := fmt.Sprintf("events[%d].", i)
		if !slices.Contains(types, e.Type) {
			r.fault(at+"type", "is %q; want one of %s", e.Type, strings.Join(types, ", "))
		}
		if e.Type == ToolCallEvent && !json.Valid([]byte(e.Input)) {
			r.fault(at+"input", "is %q; want JSON as text", e.Input)
		}
	}
	result := resultOf[op]
	canonical := a.AppendJSON(nil)
	if result == "events" && bytes.Equal(line, canonical) {
		return a, r.faults
	}
	members := r.compare(line, canonical)
	if members["seq"] == nil {
		a.Seq = nil
	}
	n := 0
	for _, name := range []string{result, "error", "skip"} {
		if _, ok := members[name]; ok {
			n++
		}
	}
	if n != 1 {
		r.fault("the answer", "has %d of the members %s, error and skip; want one", n, result)
	}
	return a, r.faults
}

// A reader collects what is wrong with a message. Unlike package json, it distinguishes
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
	reflect.Struct: "object", reflect.Slice: "array", reflect.String: "string",
	reflect.Int: "whole number", reflect.Bool: "boolean",
}

// decode decodes a message as far as its values have the right types.
func (r *reader) decode(line []byte, to any) {
	err := json.Unmarshal(line, to)
	var other *json.UnmarshalTypeError
	switch {
	case errors.As(err, &other):
		r.fault(cmp.Or(other.Field, "the answer"), "is %s; want %s", other.Value,
			kindNames[other.Type.Kind()])
	case !json.Valid(line):
		r.fault("the answer", "isn't JSON: %s", err)
	case err != nil:
		r.fault("the answer:", "%s", err)
	}
}

// compare compares the names of members in a message with those that it has when it is written
// with all of its members, and returns the members.
func (r *reader) compare(line, canonical []byte) map[string]any {
	var got, want any
	if json.Unmarshal(line, &got) != nil || json.Unmarshal(canonical, &want) != nil {
		return nil
	}
	if got == nil {
		r.fault("the answer", "is null; want an object")
	}
	r.names("", got, want)
	members, _ := got.(map[string]any)
	return members
}

// names compares the names of members. A member that is null is missing, one that is false or
// empty may be.
func (r *reader) names(at string, got, want any) {
	switch got := got.(type) {
	case []any:
		wanted, _ := want.([]any)
		for i := range min(len(got), len(wanted)) {
			r.names(fmt.Sprintf("%s[%d].", strings.TrimSuffix(at, "."), i), got[i], wanted[i])
		}
	case map[string]any:
		wanted, _ := want.(map[string]any)
		known := slices.Sorted(maps.Keys(wanted))
		for _, name := range known {
			if got[name] == nil && name != "closed" {
				r.fault(at+name, "is missing")
			}
			r.names(at+name+".", got[name], wanted[name])
		}
		for _, name := range slices.Sorted(maps.Keys(got)) {
			_, isKnown := wanted[name]
			isEmpty := slices.Contains([]string{"false", "[]", ""}, fmt.Sprint(got[name]))
			if r.strict && !isKnown && !isEmpty {
				r.fault("unknown field", "%s (want %s)", appendString(nil, at+name),
					strings.Join(known, ", "))
			}
		}
	}
}
