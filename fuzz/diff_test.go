package fuzz

import (
	"flag"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

var exhaustive = flag.Int("exhaustive", 3, "length in tokens of the exhaustive tests")

// TestGrammar reads messages with the formal grammar of their format: it agrees on every byte.
func TestGrammar(t *testing.T) {
	for _, f := range Oracles {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				c := Drawn(rt)
				s := SetupOf(c, f).Formal()
				if diff := Diff(s.Message(c), s); diff != "" {
					rt.Fatalf("%+v\n%s", s.Options, diff)
				}
			})
		})
	}
}

// TestExhaustive reads every short sequence of tokens with the grammar, and in single bytes.
func TestExhaustive(t *testing.T) {
	for _, f := range Oracles {
		setups := []Setup{
			{sig.AnyTool, parse.Options{Format: f, AllowAfterMalformed: true}},
			{untypedCatalog, parse.Options{Format: f, AllowUnclosed: true}},
			{sig.AnyTool, parse.Options{
				Format: f, AllowAfterMalformed: true, Limits: parse.Limits{Bytes: 24, Depth: 2, Arguments: 2, Name: 4},
			}},
		}
		for name, list := range tokens {
			name, ok := strings.CutPrefix(name, "every "+f.Name+" ")
			if !ok {
				continue
			}
			t.Run(f.Name+"/"+name, func(t *testing.T) {
				t.Parallel()
				for i, begin := range append([]string{""}, tokens["begin "+f.Name+" "+name]...) {
					n := *exhaustive
					if i > 0 {
						n--
					}
					sequences(list, n, func(text string) bool {
						for _, s := range setups {
							agrees(t, []byte(begin+text), s.Formal())
						}
						return !t.Failed()
					})
				}
			})
		}
	}
}

// agrees checks that a message is read as by the grammar, whole and in single bytes.
func agrees(t *testing.T, in []byte, s Setup) {
	t.Helper()
	diff := Diff(in, s)
	if diff == "" {
		diff = split(Sample{s, in, nil})
	}
	if diff != "" {
		t.Errorf("%q %+v\n%s", in, s.Options, diff)
	}
}

// TestNames reads every short name up to the limit on names.
func TestNames(t *testing.T) {
	for begin, f := range map[string]*protocol.Format{
		"<call>":                  protocol.Wire,
		`<tool_call>{"name":"`:    protocol.Hermes,
		"<tool_call>\n<function=": protocol.Qwen3Coder,
	} {
		s := Setup{sig.AnyTool, parse.Options{Format: f, Limits: parse.Limits{Name: 3}}}.Formal()
		tokens := []string{"n", "é", "\xc3", "\x82", `\`, "\x01", `"`, ">", f.Call.Close}
		sequences(tokens, 4, func(name string) bool {
			agrees(t, []byte(begin+name), s)
			return !t.Failed()
		})
	}
}

// sequences calls yield with each concatenation of at most n tokens, shortest first, until yield
// returns false.
func sequences(tokens []string, n int, yield func(string) bool) {
	var grow func(prefix string, n int) bool
	grow = func(prefix string, n int) bool {
		if n == 0 {
			return yield(prefix)
		}
		for _, t := range tokens {
			if !grow(prefix+t, n-1) {
				return false
			}
		}
		return true
	}
	for k := 0; k <= n; k++ {
		if !grow("", k) {
			return
		}
	}
}
