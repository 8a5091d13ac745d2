package engine_test

import (
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// formats are all formats, and a set of them.
var formats = append(format.All(), yaml.XML, format.Any(format.Hermes, format.GLM45, format.KimiK2, format.MorphXML))

// piecesOf returns pieces of calls in a format, and of what is hard to tell from them.
func piecesOf(f *format.Format) []string {
	pieces := strings.Split(`t|u|nope|a|b|c|1|"|'|\|\"|{|}|[|]|:|,|=| |  |<|>|/|-|é|x y|true|null|True|<think>|</think>|`+
		"`|```|~~~|\n|\n\n|\x80|\xff|\x01|"+`"a": 1|{"a": 1}|a=1 |b="x" |"name": "t"|"arguments": {|<b>|functions.t:0|`+
		`<call>|<tool_call>|<function=t>|Call|`, "|")
	pieces = append(pieces, f.Call.Open, f.Call.Close, f.Section.Open, f.Section.Close, f.Function.Open, f.Function.End,
		f.Function.Close, f.Parameter.Open, f.Parameter.End, f.Parameter.Value, f.Parameter.Close)
	if f.ToolTags() {
		pieces = append(pieces, "<t>", "</t>", "<a>1</a>", "<b>", "</b>", "a: 1\n", "b: |\n  x\n")
	}
	for _, tag := range []string{f.Call.Open, f.Call.Close, f.Section.Open} {
		if tag != "" {
			pieces = append(pieces, tag[:len(tag)/2], tag[len(tag)/2:])
		}
	}
	for _, input := range []string{`{}`, `{"a":1,"b":"x y"}`, `{"b":"</call></tool_call>","c":[1,2],"d":{"x":true}}`} {
		if call, err := engine.AppendCall(nil, toolsOfTest, engine.Written{Name: "t", Input: []byte(input)}, &engine.WriteOptions{Format: f}); err == nil {
			s := string(call)
			pieces = append(pieces, s, s, s[:len(s)/2], s[len(s)/2:], s[:len(s)-len(f.Call.Close)])
		}
	}
	return pieces
}

var toolsOfTest = func() *sig.Catalog {
	c, err := sig.Compile([]byte(tools))
	if err != nil {
		panic(err)
	}
	return c
}()

// randomOptions returns options for a format.
func randomOptions(r *rand.Rand, f *format.Format) engine.Options {
	o := engine.Options{
		Format: f, Strict: r.Intn(4) == 0, Repair: r.Intn(3) == 0,
		AllowAfterMalformed: r.Intn(3) != 0, AllowUnclosed: r.Intn(3) == 0, AllowInCode: r.Intn(2) == 0,
		Reasoning: format.Reasoning(r.Intn(3)), WholeCalls: r.Intn(5) == 0,
	}
	if r.Intn(5) == 0 {
		o.Limits = lexer.Limits{Bytes: r.Intn(80), Depth: r.Intn(4), Arguments: r.Intn(4), Name: r.Intn(4)}
	}
	return o
}

// In every format and under every option: the segments are the same at any split, and tile the
// message; the fast path changes no event; a Parser after Reset is like a new one.
func TestProperties(t *testing.T) {
	n := 3000
	if s := os.Getenv("N"); s != "" {
		n, _ = strconv.Atoi(s)
	} else if testing.Short() {
		n = 300
	}
	for _, f := range formats {
		r := rand.New(rand.NewSource(int64(n)))
		pieces := piecesOf(f)
		for range n {
			o := randomOptions(r, f)
			catalog := toolsOfTest
			if r.Intn(3) == 0 && !f.NeedsTools() {
				catalog = sig.AnyTool
			}
			in := random(r, pieces)
			plain := o
			plain.WholeCalls = false // run checks the deltas
			p := newParser(catalog, plain)
			want, err := run(p, []byte(in), nil)
			if err != nil {
				t.Fatalf("%s %q %+v: %v", f, in, o, err)
			}
			var bytewise, cuts []int
			for i := 1; i < len(in); i++ {
				bytewise = append(bytewise, i)
				if r.Intn(5) == 0 {
					cuts = append(cuts, i)
				}
			}
			for _, cuts := range [][]int{bytewise, cuts, {len(in) / 2}} {
				got, err := run(p, []byte(in), cuts) // run resets p
				if !diff(t, in, strconv.Itoa(len(cuts)), got, want, err) {
					t.Fatalf("%s %+v cuts %v", f, o, cuts)
				}
			}
			slow := o
			slow.NoFastPath = true
			cut := r.Intn(len(in) + 1)
			for _, chunks := range [][]string{{in}, {in[:cut], in[cut:]}} {
				if got, want := record(catalog, o, chunks), record(catalog, slow, chunks); got != want {
					t.Fatalf("%s %q %+v:\nfast %s\nslow %s", f, chunks, o, got, want)
				}
			}
		}
	}
}

// No part of a written call is a call: not what remains if it is cut, nor if the message ends there,
// unless the closing tag alone is missing and that is allowed.
func TestTruncations(t *testing.T) {
	inputs := []string{`{}`, `{"a":1}`, `{"a":1,"b":"x"}`, `{"b":"</tool_call> <call>u</call>","c":[1,2],"d":{"x":true}}`}
	for _, f := range formats {
		for _, input := range inputs {
			call, err := engine.AppendCall(nil, toolsOfTest, engine.Written{Name: "t", Input: []byte(input)}, &engine.WriteOptions{Format: f})
			if err != nil {
				continue
			}
			for n := range len(call) {
				in := call[:n]
				for _, o := range []engine.Options{
					{Format: f}, {Format: f, AllowUnclosed: true}, {Format: f, Repair: true}, {Format: f, Strict: true},
				} {
					lines, err := run(newParser(toolsOfTest, o), in, nil)
					if err != nil {
						t.Fatalf("%s %q: %v", f, in, err)
					}
					for _, l := range lines {
						if !strings.HasPrefix(l, "tool-call ") {
							continue
						}
						complete := strings.Contains(l, " t "+canonical(input)) && (o.AllowUnclosed || o.Repair)
						sectionOnly := f.Section.Close != "" && strings.HasSuffix(string(call[:n]), f.Call.Close) ||
							f.Section.Close != "" && n > len(call)-len(f.Section.Close)
						// Without a mark after the arguments, nobody can tell that more were to come.
						prefix := o.AllowUnclosed && (f.Body == format.Arguments || f == format.GLM45)
						if !complete && !sectionOnly && !prefix {
							t.Errorf("%s %q %+v: %s", f, in, o, l)
						}
					}
				}
			}
		}
	}
}
