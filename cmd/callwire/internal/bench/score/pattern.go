package score

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Pattern is what a value should be. The zero value is null.
type Pattern struct {
	// OneOf are the alternatives; the rest does not count where there are any.
	OneOf []Pattern

	Free   bool               // any value will do
	Fields map[string]Pattern // not nil: an object
	Items  []Pattern          // not nil: an array
	Set    bool               // of an array: the order of the elements means nothing
	Scalar any                // else: nil, bool, string or json.Number

	Integer  bool // of a number: it is written without a point and an exponent
	Optional bool // of a member of an object: it may be missing
}

// PatternOf returns the pattern of exactly this JSON value.
func PatternOf(text []byte) (Pattern, error) {
	value, err := decode(text)
	if err != nil {
		return Pattern{}, err
	}
	return PatternOfValue(value), nil
}

// PatternOfValue returns the pattern of exactly this decoded value, in which
// numbers are of type json.Number.
func PatternOfValue(value any) Pattern {
	switch v := value.(type) {
	case map[string]any:
		p := Pattern{Fields: make(map[string]Pattern, len(v))}
		for name, member := range v {
			p.Fields[name] = PatternOfValue(member)
		}
		return p
	case []any:
		p := Pattern{Items: make([]Pattern, len(v))}
		for i, element := range v {
			p.Items[i] = PatternOfValue(element)
		}
		return p
	}
	return Pattern{Scalar: value}
}

// at changes the pattern at a path of members with dots between them.
// The error names the path.
func (p *Pattern) at(path string, change func(*Pattern)) error {
	name, rest, deeper := strings.Cut(path, ".")
	member, ok := p.Fields[name]
	if !ok {
		return fmt.Errorf("the calls have no argument %q", path)
	}
	if !deeper {
		change(&member)
	} else if err := member.at(rest, change); err != nil {
		return err
	}
	p.Fields[name] = member
	return nil
}

// Matches reports whether a decoded JSON value is what p describes, under a rule.
// Numbers in it are of type json.Number.
func (p Pattern) Matches(value any, rule Rule) bool {
	if p.OneOf != nil {
		return slices.ContainsFunc(p.OneOf, func(q Pattern) bool { return q.Matches(value, rule) })
	}
	switch {
	case p.Free:
		return true
	case p.Fields != nil:
		object, ok := value.(map[string]any)
		return ok && p.matchesObject(object, rule)
	case p.Items != nil:
		array, ok := value.([]any)
		return ok && p.matchesArray(array, rule)
	}
	switch want := p.Scalar.(type) {
	case string:
		got, ok := value.(string)
		return ok && rule.equalStrings(want, got)
	case json.Number:
		got, ok := value.(json.Number)
		return ok && rule.equalNumbers(want, got) && (!p.Integer || IsDigits(got))
	}
	return p.Scalar == value
}

// IsDigits reports whether a number is written without a point and an exponent.
func IsDigits(n json.Number) bool { return !strings.ContainsAny(n.String(), ".eE") }

func (p Pattern) matchesObject(object map[string]any, rule Rule) bool {
	for name, want := range p.Fields {
		got, ok := object[name]
		if !ok && !want.Optional || ok && !want.Matches(got, rule) {
			return false
		}
	}
	for name := range object {
		if _, ok := p.Fields[name]; !ok {
			return false
		}
	}
	return true
}

func (p Pattern) matchesArray(array []any, rule Rule) bool {
	if len(array) != len(p.Items) {
		return false
	}
	fits := func(i, j int) bool { return p.Items[i].Matches(array[j], rule) }
	if p.Set && rule != Exact {
		return Assigned(len(array), fits)
	}
	for i := range array {
		if !fits(i, i) {
			return false
		}
	}
	return true
}

// Assigned reports whether n things can be given to n others, each to one that
// fits it. It takes time of n cubed.
func Assigned(n int, fits func(i, j int) bool) bool {
	owner := make([]int, n) // of the other, i+1
	var seen []bool
	var give func(i int) bool
	give = func(i int) bool {
		for j := range n {
			if seen[j] || !fits(i, j) {
				continue
			}
			seen[j] = true
			if owner[j] == 0 || give(owner[j]-1) {
				owner[j] = i + 1
				return true
			}
		}
		return false
	}
	for i := range n {
		seen = make([]bool, n)
		if !give(i) {
			return false
		}
	}
	return true
}

// decode decodes one JSON value and keeps the digits of numbers.
func decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the value after %s bytes", strconv.FormatInt(d.InputOffset(), 10))
	}
	return value, nil
}
