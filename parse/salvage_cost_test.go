package parse

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// What needs no repair costs nothing more under Salvage: no byte of prose and of calls is
// looked at again, at any split.
func TestSalvageLooksOnce(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"send","inputSchema":{"type":"object","properties":{
		"to":{"type":"string"},"note":{"type":"string"},"n":{"type":"integer"},"names":{"type":"array","items":{"type":"string"}},
		"at":{"type":"object","properties":{"x":{"type":"number"},"place":{"type":"string"}}}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"I can check that for you. \n a < b, <div>x</div>\n",
		"<call>send</call>",
		"<call>send to=Ada</call>",
		"<call>send to=https://example.com/?q=a</call>",
		`<call>send to="Ada, or Alan; =x" note='“x”' n=1</call>`,
		`<call>send to=a.b@example.com n=12 names=[Ada,Alan] note=O'Brien</call>`,
		`<call>send at.x=1.5 at.place="New York" to=none</call>`,
		`<call>send {"to":"Ada","names":["x,","y"],"at":{"x":1}}</call>`,
	} {
		in := []byte(strings.Repeat(text, 20))
		for _, size := range []int{len(text), 64, 16, 4, 1} {
			steps := func(salvage bool) int {
				p, err := NewParser(catalog, Options{Salvage: salvage})
				if err != nil {
					t.Fatal(err)
				}
				for i := 0; i < len(in); i += size {
					p.Feed(in[i:min(len(in), i+size)])
					for p.Next() != NoPart {
						if s := p.Segment(); s.Kind == Malformed || len(s.Issues) > 0 {
							t.Fatalf("%s: %+v", text, s)
						}
					}
				}
				return p.Steps()
			}
			if plain, salvaging := steps(false), steps(true); salvaging != plain {
				t.Errorf("%q in chunks of %d: %d steps, %d under Salvage", text, size, plain, salvaging)
			}
		}
	}
}

// A word without a dubious byte needs no question, whatever its ends.
func TestDubious(t *testing.T) {
	tags := lexeme.NewTags("<call>", "</call>", nil)
	for c := range 256 {
		b := byte(c)
		for _, word := range [][]byte{{b, 'x', 'x', 'x'}, {'x', b}, {b}} {
			n, seen := tags.ConsumeSimpleWord(word, 0, lexeme.PlainWord)
			if n == len(word) && suspicious(word) && seen&lexeme.Dubious == 0 {
				t.Errorf("%q is suspicious", word)
			}
			if !bytes.ContainsAny(word, "=,") && seen&(lexeme.Equals|lexeme.Comma) != 0 {
				t.Errorf("%q has roles %b", word, seen)
			}
		}
	}
}

// One call after another is repaired in the same memory, unless that has become large.
func TestRepairsShareMemory(t *testing.T) {
	p, err := NewParser(nil, Options{Salvage: true})
	if err != nil {
		t.Fatal(err)
	}
	repair := func(value string) []byte {
		p.Feed([]byte("<call>t a = " + value + "</call>"))
		for p.Next() != NoPart {
		}
		if s := p.Segment(); s.Kind != Call || len(s.Issues) != 1 || p.rescue.src != nil {
			t.Fatalf("%+v", s)
		}
		return p.rescue.out[:cap(p.rescue.out)]
	}
	if first, second := repair("xyz"), repair("x"); &first[0] != &second[0] {
		t.Error("a second repair has memory of its own")
	}
	if kept := len(repair(strings.Repeat("x", 2*mostPooled))); kept > mostPooled {
		t.Errorf("%d bytes are kept", kept)
	}
}
