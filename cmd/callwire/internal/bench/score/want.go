package score

import (
	"encoding/json"
	"fmt"
)

// Call is a call that a model made.
type Call struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"` // one JSON object
}

// WantCall is a call that a model should make.
type WantCall struct {
	Name  string
	Input Pattern // of an object
}

// Want is what a model should call: nothing, or these calls in any order.
type Want struct {
	Calls []WantCall

	// Loose is the rule by which calls are right, Soft or BFCL.
	Loose Rule
}

// Verdict is what there is to say of a message.
type Verdict struct {
	Exact bool // every call is exactly what was wanted, and there is no other
	Soft  bool // the same under the loose rule
	Valid bool // every call is of a tool that exists, and valid by its schema
	Wants int  // how many calls were wanted
	Calls int  // how many there are
}

// Judge compares the calls of a message with those that were wanted. Valid says
// whether one of them fits its schema.
func (w Want) Judge(calls []Call, valid func(Call) bool) Verdict {
	v := Verdict{Wants: len(w.Calls), Calls: len(calls), Valid: true}
	values := make([]any, len(calls))
	for i, c := range calls {
		value, err := decode(c.Input)
		if _, ok := value.(map[string]any); err != nil || !ok {
			value = nil // no object: it matches nothing that is wanted
		}
		values[i] = value
		v.Valid = v.Valid && value != nil && valid(c)
	}
	if len(calls) != len(w.Calls) {
		return v
	}
	under := func(rule Rule) bool {
		return Assigned(len(calls), func(i, j int) bool {
			return w.Calls[i].Name == calls[j].Name && w.Calls[i].Input.Matches(values[j], rule)
		})
	}
	v.Exact, v.Soft = under(Exact), under(w.Loose)
	v.Soft = v.Soft || v.Exact
	return v
}

// Expected is a wanted call as it stands in a file: the arguments, and where
// others are as good. Paths have dots between the names.
type Expected struct {
	Name     string                       `json:"name"`
	Input    json.RawMessage              `json:"input"`
	Or       map[string][]json.RawMessage `json:"or,omitempty"`       // other values that are as good
	Optional []string                     `json:"optional,omitempty"` // arguments that may be left out
	Free     []string                     `json:"free,omitempty"`     // arguments of which the value is the model's choice
	Set      []string                     `json:"set,omitempty"`      // arrays of which the order means nothing
}

// Want returns the call as it is compared.
func (e Expected) Want() (WantCall, error) {
	p, err := PatternOf(e.Input)
	if err != nil || p.Fields == nil {
		return WantCall{}, fmt.Errorf("the input of %s is no JSON object", e.Name)
	}
	for _, path := range e.Set {
		if err := p.at(path, func(q *Pattern) { q.Set = true }); err != nil {
			return WantCall{}, err
		}
	}
	for _, path := range e.Free {
		if err := p.at(path, func(q *Pattern) { *q = Pattern{Free: true} }); err != nil {
			return WantCall{}, err
		}
	}
	for path, others := range e.Or {
		either := make([]Pattern, 0, len(others)+1)
		for _, text := range others {
			q, err := PatternOf(text)
			if err != nil {
				return WantCall{}, fmt.Errorf("another value of %s: %w", path, err)
			}
			either = append(either, q)
		}
		if err := p.at(path, func(q *Pattern) { *q = Pattern{OneOf: append(either, *q)} }); err != nil {
			return WantCall{}, err
		}
	}
	for _, path := range e.Optional {
		if err := p.at(path, func(q *Pattern) { q.Optional = true }); err != nil {
			return WantCall{}, err
		}
	}
	return WantCall{e.Name, p}, nil
}
