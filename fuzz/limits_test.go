package fuzz

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// TestExactLimits: property 21. A call that has exactly N of what is limited is read as
// without the limit; with a limit of N-1 it is malformed, with the code of the limit at the
// offset in the table of codes, under every split in two and byte by byte.
func TestExactLimits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		in := []byte(Wire(c))
		free, err := Read(newParserReader(Setup{}), in)
		if err != nil {
			rt.Fatal(err)
		}
		if len(free) != 1 || free[0].Kind != kindCall {
			rt.Skip("no call")
		}
		m := measure(in)
		exact := Setup{Limits: lexer.Limits{Bytes: len(in), Depth: m.depth, Arguments: m.arguments, Name: m.name}}
		checkLimit(rt, in, exact, free[0], "", 0)

		short := Setup{Limits: lexer.Limits{Bytes: len(in) - 1}}
		checkLimit(rt, in, short, free[0], lexer.CallTooLong, len(in)-1)
		if m.name > 1 {
			short = Setup{Limits: lexer.Limits{Name: m.name - 1}}
			checkLimit(rt, in, short, free[0], lexer.NameTooLong, m.nameStart+m.name-1)
		}
		if m.depth > 1 {
			short = Setup{Limits: lexer.Limits{Depth: m.depth - 1}}
			checkLimit(rt, in, short, free[0], lexer.TooDeep, m.deepest)
		}
		if m.arguments > 1 {
			short = Setup{Limits: lexer.Limits{Arguments: m.arguments - 1}}
			checkLimit(rt, in, short, free[0], lexer.TooManyArguments, m.last)
		}
	})
}

// TestLimitCodes: property 21 for the smallest limits, as a table.
func TestLimitCodes(t *testing.T) {
	for _, c := range []struct {
		text   string
		limits lexer.Limits
		code   lexer.Code
		at     int
	}{
		{"<call>t a=1</call>", lexer.Limits{Bytes: 18}, "", 0},
		{"<call>t a=1</call>", lexer.Limits{Bytes: 17}, lexer.CallTooLong, 17},
		{"<call>ab</call>", lexer.Limits{Name: 2}, "", 0},
		{"<call>abc</call>", lexer.Limits{Name: 2}, lexer.NameTooLong, 8},
		{"<call>t a.b=1</call>", lexer.Limits{Depth: 1}, "", 0},
		{"<call>t a.b.c=1</call>", lexer.Limits{Depth: 1}, lexer.TooDeep, 11},
		{"<call>t a=[[]]</call>", lexer.Limits{Depth: 1}, lexer.TooDeep, 11},
		{"<call>t a.b=[1]</call>", lexer.Limits{Depth: 1}, lexer.TooDeep, 12},
		{`<call>t {"a":{}}</call>`, lexer.Limits{Depth: 1}, "", 0},
		{`<call>t {"a":[{}]}</call>`, lexer.Limits{Depth: 1}, lexer.TooDeep, 14},
		{"<call>t a=1 b=2</call>", lexer.Limits{Arguments: 2}, "", 0},
		{"<call>t a=1 b=2</call>", lexer.Limits{Arguments: 1}, lexer.TooManyArguments, 12},
		{`<call>t {"a":1,"b":2}</call>`, lexer.Limits{Arguments: 1}, lexer.TooManyArguments, 15},
	} {
		segs := parse.Options{Limits: c.limits}.Text(c.text, nil)
		switch {
		case len(segs) != 1:
			t.Errorf("%s: %d segments", c.text, len(segs))
		case c.code == "" && segs[0].Kind != parse.Call:
			t.Errorf("%s %+v: %v", c.text, c.limits, segs[0].Err)
		case c.code != "" && (segs[0].Err == nil || segs[0].Err.Code != c.code || segs[0].Err.Offset != c.at):
			t.Errorf("%s %+v: %v, want %s at %d", c.text, c.limits, segs[0].Err, c.code, c.at)
		}
	}
}

func checkLimit(t *rapid.T, in []byte, s Setup, free Part, code lexer.Code, at int) {
	t.Helper()
	for _, cuts := range append(inTwo(len(in)), Bytewise(len(in))) {
		for _, r := range Readers[1:] {
			parts, err := Read(r.New(s), Chunks(in, cuts)...)
			if err != nil || len(parts) != 1 {
				t.Fatalf("%s, %+v: %q cut %v: %+v, %v", r.Name, s.Limits, in, cuts, parts, err)
			}
			p := parts[0]
			p.ID = ""
			if code == "" && !p.Equal(free) || p.Code != code || p.At != at || p.End != len(in) {
				t.Fatalf("%s, %+v: %q cut %v: %+v, want %s at %d", r.Name, s.Limits, in, cuts, p, code, at)
			}
		}
	}
}

// inTwo returns at most fifty ways to cut n bytes in two.
func inTwo(n int) [][]byte {
	var all [][]byte
	for at := 0; at < n && at < 256; at += 1 + n/50 {
		all = append(all, []byte{byte(at)})
	}
	return all
}

// measures are how much a call has of everything that is limited, and the offset of the
// last of each.
type measures struct {
	name, nameStart int
	depth, deepest  int
	arguments, last int
}

// measure counts the tokens of a call. A count of none becomes one, because a limit of zero
// means the default.
func measure(in []byte) measures {
	m := measures{depth: 1, arguments: 1}
	r := newLexerReader(Setup{})
	Read(r, in)
	count, brackets, dots, json := 0, 0, 0, false
	argument := func(at int) {
		if count++; count > m.arguments {
			m.arguments, m.last = count, at
		}
	}
	deeper := func(n, at int) {
		if n > m.depth {
			m.depth, m.deepest = n, at
		}
	}
	var before Part
	for i, p := range r.parts {
		switch p.Kind {
		case "Name":
			m.name, m.nameStart = p.End-p.Start, p.Start
		case "Key", "String":
			if brackets == 0 && before.Kind == "Space" {
				dots = 0
				argument(p.Start)
			} else if json && brackets == 1 && isKey(r.parts[i:]) {
				argument(p.Start)
			}
		case "Dot":
			dots++
			deeper(dots, p.Start)
		case "ArrayOpen", "ObjectOpen":
			if brackets == 0 && before.Kind == "Space" {
				json = true
			}
			brackets++
			n := brackets + dots
			if json {
				n--
			}
			deeper(n, p.Start)
		case "ArrayClose", "ObjectClose":
			brackets--
		}
		before = p
	}
	return m
}

// isKey reports whether the first of parts is the key of a member.
func isKey(parts []Part) bool {
	for _, p := range parts[1:] {
		if p.Kind != "Space" {
			return p.Kind == "Colon"
		}
	}
	return false
}

// TestMeasure shows what measure counts.
func TestMeasure(t *testing.T) {
	for text, want := range map[string]string{
		"<call>tool</call>":                      "{4 6 1 0 1 0}",
		"<call>t a=1 b=2 c=3</call>":             "{1 6 1 0 3 16}",
		"<call>t a.b.c=[1]</call>":               "{1 6 3 14 1 0}",
		`<call>t {"a":[[1]],"b":{"c":2}}</call>`: "{1 6 2 14 2 19}",
	} {
		if got := fmt.Sprint(measure(bytes.Clone([]byte(text)))); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
