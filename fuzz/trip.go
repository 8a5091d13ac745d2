package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// Trip is one object on its way into a message and out of it.
type Trip struct {
	Setup
	Tool, Input   string
	JSON          bool   // write a JSON body
	Before, After string // hostile text around the call
}

// TripOf returns an object for a tool, which may not fit, and hostile text around the call.
func TripOf(s Source, f *protocol.Format) Trip {
	setup := Setup{Catalog: types}
	setup.Format = f
	setup.AllowAfterMalformed, setup.AllowInCode = true, true
	switch {
	case chance(s, 2):
		setup.Catalog = mustCompile(Tools(s))
	case !setup.Format.NeedsTools() && chance(s, 2):
		setup.Catalog = sig.AnyTool
	}
	if setup.wire() && chance(s, 3) {
		setup.Tags = Tags(s)
	}
	return setup.Trip(s)
}

// Trip returns a trip in a setup.
func (setup Setup) Trip(s Source) Trip {
	tool := oneOf(s, setup.tools()...)
	tr := Trip{Setup: setup, Tool: tool.Name, JSON: chance(s, 5), Input: Object(s, 4)}
	if setup.Catalog == sig.AnyTool {
		tr.Tool = oneOf(s, toolNames...)
	}
	switch s.IntN(4) {
	case 0:
		tr.Input = objectOf(s, tool.Args, 3, false)
	case 1, 2:
		tr.Input = objectOf(s, tool.Args, 3, true)
	}
	tr.Before, tr.After = setup.around(s), setup.around(s)
	return tr
}

// around returns text around a call, often hostile.
func (setup Setup) around(s Source) string {
	if !chance(s, 2) {
		return oneOf(s, "", "Let me see. ", "\n")
	}
	return oneOf(s, string(setup.Message(s)), grow(s, "prose", 0), oneOf(s, setup.pieces()...),
		Retag(oneOf(s, tokens["around"]...), setup.tags()))
}

// Check makes the trip and returns what is wrong, or "". The error is the writer's: it refused the
// object. The call reads back as the object; writing what was read is the same text; and it is one
// call, which does not affect the text around it.
func (tr Trip) Check() (wrong string, refused error) {
	o := tr.writer()
	o.JSON = tr.JSON
	text, err := parse.FormatCall(tr.Catalog, tr.Tool, []byte(tr.Input), o)
	if err != nil {
		var e *parse.Error
		if !errors.As(err, &e) || text != "" || !tr.refusable(e.Code) {
			return fmt.Sprintf("refused: %v, %q", err, text), err
		}
		return "", err
	}
	if tr.wire() && strings.ContainsAny(text, "\n\r") {
		return fmt.Sprintf("%q is more than one line", text), nil
	}
	alone, err := tr.Whole([]byte(text))
	call := slices.IndexFunc(alone, func(p Part) bool { return p.Type == callPart })
	single := call >= 0 && countOf(alone, sectionPart) == len(alone)-1
	if err != nil || !single || alone[call].Name != tr.Tool {
		return fmt.Sprintf("%q reads as %+v, %v", text, alone, err), nil
	}
	input := alone[call].Input
	if !corpus.SameJSON(input, tr.Input) {
		if addsNulls(input, tr.Input) { // they are written next time
			return tr.inside(text, alone), nil
		}
		return fmt.Sprintf("%q reads as %s", text, input), nil
	}
	if again, err := parse.FormatCall(tr.Catalog, tr.Tool, []byte(input), o); again != text {
		return fmt.Sprintf("%q is written again as %q, %v", text, again, err), nil
	}
	return tr.inside(text, alone), nil
}

// inside reads the text of a call, whose parts are known, in its surroundings.
func (tr Trip) inside(text string, alone []Part) string {
	before := tr.begin([]byte(tr.Before))
	if before.Done < len(tr.Before) {
		return "" // a call is open, or could be: what follows belongs to it
	}
	before.Close()
	whole := tr.Before + text + tr.After
	got := tr.whole([]byte(whole))
	start, end := len(tr.Before), len(tr.Before)+len(text)
	outside := func(p Part) bool { return p.End <= start || p.Start >= end }
	inside := slices.DeleteFunc(slices.Clone(got), outside)
	if diff := Differ(Rest(alone, start), Rest(inside, 0)); diff != "" {
		return fmt.Sprintf("%q in %q: %s", text, whole, diff)
	}
	first := slices.DeleteFunc(got, func(p Part) bool { return p.Start >= start })
	if diff := Differ(Rest(before.Events, 0), Rest(first, 0)); diff != "" {
		return fmt.Sprintf("%q changes what is before it in %q: %s", text, whole, diff)
	}
	return ""
}

// refusable reports whether the writer may refuse the trip with code. The wire format and JSON
// carry every object; other formats have no quotes, so that text may be taken for a tag.
func (tr Trip) refusable(code lexer.Code) bool {
	d := tr.Tags
	odd := d != protocol.Tags{}
	switch code {
	case lexer.BadName:
		_, err := parse.FormatCall(sig.AnyTool, tr.Tool, []byte("{}"), nil)
		return err != nil || odd && strings.ContainsAny(tr.Tool, d.Open[:1]+d.Close[:1])
	case lexer.NestedCall:
		return odd && strings.ContainsAny(d.Open[:1]+d.Close[:1], "+-")
	case lexer.NameTooLong:
		return len(tr.Tool) > tr.Limits.OrDefault().Name
	case lexer.UnknownTool:
		return tr.Catalog == nil || tr.Catalog.Lookup([]byte(tr.Tool)) == nil
	}
	return !tr.wire() && len(tr.Format.Set()[0].NameKeys) == 0
}

// membersOf returns the members of an object.
func membersOf(input string) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(input), &members); err != nil {
		panic(err)
	}
	return members
}

// addsNulls reports whether got is want with the null of required properties that allow it.
func addsNulls(got, want string) bool {
	return reflect.DeepEqual(withoutNulls(decoded(got)), withoutNulls(decoded(want)))
}

// decoded returns a JSON value. Numbers keep their digits.
func decoded(text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, member any) bool { return member == nil })
		for key, member := range v {
			v[key] = withoutNulls(member)
		}
	case []any:
		for i, item := range v {
			v[i] = withoutNulls(item)
		}
	}
	return v
}
