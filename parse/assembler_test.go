package parse_test

import (
	"fmt"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// assemble returns what comes of a call of t under o, with the body that write writes.
func assemble(t *testing.T, o parse.Options, schema string, exact bool, write func(*parse.Assembler)) (string, parse.Segment) {
	t.Helper()
	catalog, err := sig.Compile(`[{"name": "t", "inputSchema": ` + schema + `}]`)
	if err != nil {
		t.Fatal(err)
	}
	a := parse.NewAssembler(catalog, o, func(start, end int) ([]byte, bool) { return make([]byte, end-start), false })
	a.Feed()
	a.Begin(10, exact)
	parts := ""
	add := func(p parse.Part) {
		switch p {
		case parse.InputPart, parse.CallPart:
			parts += string(a.Delta()) + "|"
		case parse.MalformedPart:
			parts += "malformed"
		}
	}
	add(a.Name([]byte("t"), 11))
	write(a)
	part, _ := a.Failed()
	add(part)
	add(a.More())
	add(a.Finish(90, 99))
	for p := a.Pending(); p != parse.NoPart; p = a.Pending() {
		add(p)
	}
	return parts, a.Segment().Clone()
}

const someSchema = `{"type": "object", "required": ["s"], "properties": {"s": {"type": "string"}, "n": {"type": "integer"}, "l": {"type": "array", "items": {"type": "string"}}, "o": {"type": "object"}}}`

func TestAssembler(t *testing.T) {
	text := []byte("x")
	for _, tt := range []struct {
		name  string
		exact bool
		write func(a *parse.Assembler)
		want  string
	}{
		{"nothing", true, func(a *parse.Assembler) {}, `{}|[{missing-argument s 90}]`},
		{"an open object", true, func(a *parse.Assembler) { a.Open(true, 12); a.Key([]byte("s"), 13); a.String(text, 14) }, `{"s":"x"|}|[]`},
		{"exact", true, func(a *parse.Assembler) {
			a.Open(true, 12)
			a.Key([]byte("s"), 13)
			a.Literal([]byte("1.50"), 14)
			a.Key([]byte("n"), 15)
			a.String([]byte("1"), 16)
			a.Close(17)
		}, `{"s":1.50,"n":"1"}||[{type-mismatch s 14} {type-mismatch n 16}]`},
		{"typed", false, func(a *parse.Assembler) {
			a.Open(true, 12)
			a.Key([]byte("s"), 13)
			a.Raw([]byte("1.50"), 14)
			a.Key([]byte("n"), 15)
			a.Raw([]byte(" 7\n"), 16)
			a.Key([]byte("l"), 17)
			a.Raw([]byte(`["a", 1]`), 18)
			a.Close(19)
		}, `{"s":"1.50","n":7,"l":["a","1"]}||[]`},
		{"pieces", false, func(a *parse.Assembler) {
			a.Open(true, 12)
			a.Key([]byte("s"), 13)
			a.Piece([]byte("a\n"), true)
			a.Piece([]byte("b"), false)
			a.EndPieces(14, func() []byte { return []byte("a\nb") })
			a.Close(15)
		}, `{"s":"a\nb"}||[]`},
		{"an array and an object for a string", false, func(a *parse.Assembler) {
			a.Open(true, 12)
			a.Key([]byte("s"), 13)
			a.Open(false, 14)
			a.Raw(text, 15)
			a.Close(16)
			a.Key([]byte("n"), 17)
			a.Open(true, 18)
			a.Close(19)
			a.Key([]byte("o"), 20)
			a.Open(true, 21)
			a.Key([]byte("k"), 22)
			a.Raw([]byte("1"), 23)
		}, `{"s":["x"],"n":{},"o":{"k":1|}}|[{type-mismatch s 14} {type-mismatch n 18}]`},
		{"closed too often, keys in no object", false, func(a *parse.Assembler) {
			a.Key([]byte("s"), 1)
			a.Open(true, 12)
			a.Key([]byte("s"), 13)
			a.Raw(text, 14)
			a.Close(15)
			a.Close(16)
			a.Key([]byte("s"), 17)
		}, `{"s":"x"}||[]`},
		{"a key twice", true, func(a *parse.Assembler) {
			a.Open(true, 12)
			a.Key([]byte("s"), 13)
			a.String(text, 14)
			a.Key([]byte("s"), 15)
		}, `{"s":"x"|malformed[] duplicate-key 15`},
		{"a fault", true, func(a *parse.Assembler) { a.Fail(lexer.ExpectedClose, 20) }, `malformed[] expected-close 20`},
	} {
		got, seg := assemble(t, parse.Options{}, someSchema, tt.exact, tt.write)
		var issues []string
		for _, i := range seg.Issues {
			issues = append(issues, fmt.Sprintf("{%s %s %d}", i.Code, i.Path, i.At))
		}
		got += fmt.Sprint(issues)
		if seg.Err != nil {
			got += fmt.Sprintf(" %s %d", seg.Err.Code, seg.Err.Offset)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if got, seg := assemble(t, parse.Options{Strict: true}, someSchema, true, func(a *parse.Assembler) {}); got != "{}|malformed" || seg.Err.Code != lexer.MissingArgument {
		t.Errorf("strict: %s %v", got, seg.Err)
	}
}

// Arrays and objects in the arguments nest as deep as the limit, and no deeper.
func TestAssemblerTooDeep(t *testing.T) {
	for _, object := range []bool{false, true} {
		for depth := range 5 {
			got, seg := assemble(t, parse.Options{Limits: lexer.Limits{Depth: 3}}, `{"type":"object"}`, true, func(a *parse.Assembler) {
				a.Open(true, 12)
				a.Key([]byte("k"), 13)
				for n := range depth {
					if a.Open(object, 20+n); object {
						a.Key([]byte("k"), 30)
					}
				}
				a.Literal([]byte("1"), 40)
			})
			if deep := depth > 3; deep != (seg.Err != nil) || deep && (seg.Err.Code != lexer.TooDeep || seg.Err.Offset != 23) {
				t.Errorf("%d levels: %s %v", depth, got, seg.Err)
			}
		}
	}
}

// Methods that are called in no order that is documented panic in none, and nothing is
// finished twice.
func TestAssemblerInAnyOrder(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t","inputSchema":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},"a":{"enum":[[1],"x"]}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	ends := 0
	count := func(p parse.Part) {
		if p == parse.CallPart || p == parse.MalformedPart {
			ends++
		}
	}
	steps := []func(a *parse.Assembler){
		func(a *parse.Assembler) { a.Begin(5, true) },
		func(a *parse.Assembler) { a.Begin(-5, false) },
		func(a *parse.Assembler) { count(a.Name([]byte("t"), 6)) },
		func(a *parse.Assembler) { count(a.Name(nil, -6)) },
		func(a *parse.Assembler) { a.Open(true, 7) },
		func(a *parse.Assembler) { a.Open(false, -7) },
		func(a *parse.Assembler) { a.Key([]byte("k"), 8) },
		func(a *parse.Assembler) { a.String([]byte("s"), 9) },
		func(a *parse.Assembler) { a.Piece([]byte("s"), true) },
		func(a *parse.Assembler) { a.EndPieces(9, func() []byte { return nil }) },
		func(a *parse.Assembler) { a.Raw(nil, 9) },
		func(a *parse.Assembler) { a.Literal(nil, 9) },
		func(a *parse.Assembler) { a.JSON([]byte("{"), 9, true) },
		func(a *parse.Assembler) { a.Close(10) },
		func(a *parse.Assembler) { count(a.Finish(11, 12)) },
		func(a *parse.Assembler) { count(a.Finish(-11, -12)) },
		func(a *parse.Assembler) { count(a.Spoil(-13, true)) },
		func(a *parse.Assembler) { count(a.Fail("x", -1)) },
		func(a *parse.Assembler) { p, _ := a.Failed(); count(p) },
		func(a *parse.Assembler) { a.Issue("x", -1); a.More(); a.Feed() },
		func(a *parse.Assembler) { count(a.Pending()); a.Type(); a.Segment() },
	}
	for i := range len(steps) * len(steps) * len(steps) {
		for _, o := range []parse.Options{{}, {Strict: true}} {
			a := parse.NewAssembler(catalog, o, func(int, int) ([]byte, bool) { return nil, false })
			ends = 0
			for _, n := range []int{i % len(steps), i / len(steps) % len(steps), i / len(steps) / len(steps), 14, 16} {
				steps[n](a)
			}
			if ends > 3 {
				t.Errorf("steps %d: %d ends", i, ends)
			}
		}
	}
	a := parse.NewAssembler(catalog, parse.Options{}, func(int, int) ([]byte, bool) { return nil, false })
	if a.Finish(0, 1) != parse.NoPart || a.Spoil(1, true) != parse.NoPart {
		t.Error("something ends that has not begun")
	}
	a.Name([]byte("t"), 3)
	if a.Finish(4, 9) != parse.CallPart || a.Segment().Start != 3 || a.Finish(4, 9) != parse.NoPart {
		t.Errorf("a call of a name alone: %+v", a.Segment())
	}
	if parse.Release((*parse.Parser)(nil)) {
		t.Error("no Parser was released")
	}
}

// Arguments are counted, members of objects within them are not.
func TestAssemblerTooMany(t *testing.T) {
	limits := parse.Options{Limits: lexer.Limits{Arguments: 2}}
	keys := func(n int, within bool) func(a *parse.Assembler) {
		return func(a *parse.Assembler) {
			a.Open(true, 12)
			if within {
				a.Key([]byte("o"), 13)
				a.Open(true, 13)
			}
			for i := range n {
				a.Key([]byte{'a' + byte(i)}, 20+i)
				a.Literal([]byte("1"), 20+i)
			}
			for a.Depth() > 0 {
				a.Close(30)
			}
		}
	}
	for _, tt := range []struct {
		n      int
		within bool
		code   lexer.Code
	}{{2, false, ""}, {3, false, lexer.TooManyArguments}, {3, true, ""}} {
		_, seg := assemble(t, limits, `{"type": "object"}`, true, keys(tt.n, tt.within))
		if seg.Err != nil != (tt.code != "") || seg.Err != nil && (seg.Err.Code != tt.code || seg.Err.Offset != 22) {
			t.Errorf("%d, within %t: %v, want %q", tt.n, tt.within, seg.Err, tt.code)
		}
	}
}

// A list of texts is an array of them, if all fit.
func TestAssemblerList(t *testing.T) {
	for want, texts := range map[string][]string{`{"l":["a","b","1"]}`: {"a", "b", "1"}, `{"l":["a"]}`: {"a"}, `{"l":[]}`: {}} {
		got, _ := assemble(t, parse.Options{}, someSchema, false, func(a *parse.Assembler) {
			a.Open(true, 12)
			var all [][]byte
			for _, text := range texts {
				all = append(all, []byte(text))
			}
			if !a.List([]byte("l"), all) || a.List([]byte("l"), all) || a.List([]byte("s"), all) {
				t.Errorf("%q: it is written never or twice, or for a string", texts)
			}
			a.Close(20)
		})
		if got != want+"||" {
			t.Errorf("%q: %s, want %s", texts, got, want)
		}
	}
}
