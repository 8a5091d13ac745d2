package fuzz

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse/protocol"
)

// TestFormats: the properties hold for every format that a user can describe.
func TestFormats(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := Drawn(rt)
		f := described(s)
		if f.Validate() != nil {
			return
		}
		sample := SampleOf(s, f)
		for _, p := range Properties {
			if p.Formats != nil {
				continue
			}
			if wrong := p.Check(sample); wrong != "" {
				rt.Fatalf("%s: %+v\n%s\n%s", p.Name, *f, sample, wrong)
			}
		}
		tr := TripOf(s, f)
		if wrong, _ := tr.Check(); wrong != "" {
			rt.Fatalf("%+v\ntool %s %s\n%s", *f, tr.Tool, tr.Input, wrong)
		}
	})
}

// described returns a format made of tags and marks that models write, and of odd ones. It may be
// invalid.
func described(s Source) *protocol.Format {
	type marks = protocol.Marks
	f := &protocol.Format{
		Name: "described", Lines: chance(s, 2), Python: chance(s, 2), NameIsID: chance(s, 5),
		Body: oneOf(s, protocol.Arguments, protocol.Envelope, protocol.Parameters),
		Call: oneOf(s, around("<call>", "</call>"), around("<tool_call>", "</tool_call>"),
			around("[[", "]]"), around("<|call|>", "<|end|>"), around("«call»", "«/call»"),
			around("```call", "```"), around("@@{", "}@@"), around("<a>", "<b>")),
		Section: oneOf(s, protocol.Tags{}, around("<calls>", "</calls>"), around("«calls»", "«/calls»"),
			around("[calls]", "[/calls]")),
		Function: oneOf(s, marks{End: ">"}, marks{}, marks{Open: "<fn ", End: ">"},
			marks{Open: "<f=", End: ">", Close: "</f>"}, marks{Open: "@", End: ">", Close: "@end"},
			marks{Open: "function<sep>", End: "\n```json\n", Close: "\n```"}, marks{End: " "}),
		Parameter: oneOf(s, marks{Open: "<p=", End: ">", Close: "</p>"},
			marks{Open: `<p name="`, End: `">`, Close: "</p>"},
			marks{Open: "<key>", End: "</key>", Value: "<value>", Close: "</value>"},
			marks{Open: "- ", End: "<is>", Close: ";;"}, marks{Open: "<", End: ">", Close: "</>"}),
		Layout: protocol.Layout{
			Lead: oneOf(s, "", "\n"), Line: oneOf(s, "", "\n", "  "), Join: oneOf(s, "", "\n"),
		},
	}
	if f.Body == protocol.Envelope && chance(s, 2) {
		f.Function, f.NameKeys = marks{}, oneOf(s, []string{"name"}, []string{"tool", "name"})
		f.ArgumentKeys = oneOf(s, []string{"arguments", "input"}, []string{"in"})
		f.IDKeys = oneOf(s, nil, []string{"id"})
	}
	return f
}

func around(open, close string) protocol.Tags { return protocol.Tags{Open: open, Close: close} }
