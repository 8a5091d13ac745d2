package fuzz

import (
	"fmt"
	"math"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// TestLargeLimits: property 21. A limit that nothing can reach has no effect, however
// large it is: on reading in any chunks, on writing, or on the work for a type that is an
// array of itself.
func TestLargeLimits(t *testing.T) {
	const text = `x <call>t n=1 r=y s="é" o={k:[1]}</call> <call>t(</call> <call>t {"s":"z"}</call>`
	catalog := mustCompile(`[{"name": "t", "inputSchema": {
		"type": "object",
		"properties": {"n": {"type": "integer"}, "r": {"$ref": "#/$defs/r"}, "s": {"type": "string"}, "o": {"type": "object"}},
		"$defs": {"r": {"type": "array", "items": {"$ref": "#/$defs/r"}}}}}]`)
	for _, n := range []int{1 << 26, 1 << 30, math.MaxInt32, math.MaxInt - 1000, math.MaxInt - 10, math.MaxInt - 1, math.MaxInt} {
		for _, limits := range []lexer.Limits{{Bytes: n}, {Depth: n}, {Arguments: n}, {Name: n}, {Bytes: n, Depth: n, Arguments: n, Name: n}} {
			t.Run(fmt.Sprintf("%+v", limits), func(t *testing.T) {
				for _, r := range Readers[1:] {
					want, err := Read(r.New(Setup{Catalog: catalog}), []byte(text))
					if err != nil {
						t.Fatal(err)
					}
					for _, size := range []int{1, 7, len(text)} {
						got, err := Read(r.New(Setup{Catalog: catalog, Limits: limits}), Sized([]byte(text), size)...)
						if err != nil {
							t.Fatalf("%s, chunks of %d: %v", r.Name, size, err)
						}
						if diff := Differ(want, got); diff != "" {
							t.Errorf("%s, chunks of %d: %s", r.Name, size, diff)
						}
					}
				}
				out, err := parse.FormatOptions{Limits: limits}.Format(catalog, "t", []byte(`{"n":1,"o":{"k":[1]}}`))
				if want := "<call>t n=1 o.k=[1]</call>"; err != nil || out != want {
					t.Errorf("written: %q, %v, want %q", out, err, want)
				}
			})
		}
	}
}
