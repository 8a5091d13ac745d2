package grammar

import (
	"strings"
	"testing"
)

var goodSignatures = []string{
	"now",
	"now - Tell the time",
	"getWeather location days?:int units?:metric|imperial - Get the weather",
	`getWeather: location:string, days?:int, units?:"metric"|"imperial" — Get the weather`,
	`t a?:"x" b?:"1"|2|null|-1.5e3 c?:(x|y)[][] d?:[] e?:[string (a|b)[] *:any]`,
	`t @type:string ~"^x-":int *:any`,
	"t o:{y:int x?:{z}} u?:{k?}[]|null",
	"t: o:{y:int, x?:{z:string}}, p:[string, int]",
	"t root:@node{name children?:@node[]} j?:@j(string|@j[])",
	"t a?=. b?:int=10 c?:any[]=`[1]` d?=\"a b\"",
	"t a (what (and how) it is) b?:int (how many)",
	"t a:string | b - either",
	"t | a",
	"npm:@scope/pkg:run.it a",
	"npm:@scope/pkg:run.it: a:string",
	`t {"a b"?:int c:{d (e)}}`,
	`"not a name" a`,
}

func TestReadSignature(t *testing.T) {
	for _, line := range goodSignatures {
		if s, err := ReadSignature(line); err != nil || !strings.Contains(line, s.Name) || len(s.Alternatives) == 0 {
			t.Errorf("%s\nreads as %+v: %v", line, s, err)
		}
	}
}

func TestReadSignatureRefuses(t *testing.T) {
	for _, line := range []string{
		"", " t", "t  a", "t a ", "t a\nb", "t a:", "t a:x|", "t {a", "t a:[b", "t a (b", "t a (b))", "t a - ", "t a=", "t @", "t ?", "t a,b",
	} {
		if s, err := ReadSignature(line); err == nil {
			t.Errorf("%q is read as %+v", line, s)
		}
	}
}

func TestSignatureEBNF(t *testing.T) {
	text := SignatureEBNF()
	for _, production := range []string{"Signature", "Parameter", "UnionType", "NamedType", "TupleType", "Comment"} {
		if !strings.Contains(text, production+" = ") {
			t.Errorf("no production %s in\n%s", production, text)
		}
	}
}
