package fuzz

import (
	"math"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// TestLimitCodes has the code and offset of each of the smallest limits.
func TestLimitCodes(t *testing.T) {
	for _, c := range []struct {
		text   string
		limits parse.Limits
		code   lexer.Code
		at     int
	}{
		{"<call>t a=1</call>", parse.Limits{Bytes: 18}, "", 0},
		{"<call>t a=1</call>", parse.Limits{Bytes: 17}, lexer.CallTooLong, 17},
		{"<call>ab</call>", parse.Limits{Name: 2}, "", 0},
		{"<call>abc</call>", parse.Limits{Name: 2}, lexer.NameTooLong, 8},
		{"<call>t a.b=1</call>", parse.Limits{Depth: 1}, "", 0},
		{"<call>t a.b.c=1</call>", parse.Limits{Depth: 1}, lexer.TooDeep, 11},
		{"<call>t a=[[]]</call>", parse.Limits{Depth: 1}, lexer.TooDeep, 11},
		{"<call>t a.b=[1]</call>", parse.Limits{Depth: 1}, lexer.TooDeep, 12},
		{`<call>t {"a":{}}</call>`, parse.Limits{Depth: 1}, "", 0},
		{`<call>t {"a":[{}]}</call>`, parse.Limits{Depth: 1}, lexer.TooDeep, 14},
		{"<call>t a=1 b=2</call>", parse.Limits{Arguments: 2}, "", 0},
		{"<call>t a=1 b=2</call>", parse.Limits{Arguments: 1}, lexer.TooManyArguments, 12},
		{`<call>t {"a":1,"b":2}</call>`, parse.Limits{Arguments: 1}, lexer.TooManyArguments, 15},
	} {
		parts, err := Setup{sig.AnyTool, parse.Options{Limits: c.limits}}.Whole([]byte(c.text))
		if err != nil || len(parts) != 1 || parts[0].Code != string(c.code) || parts[0].At != c.at {
			t.Errorf("%s %+v: %+v, %v, want %q at %d", c.text, c.limits, parts, err, c.code, c.at)
		}
	}
}

// TestLargeLimits: a limit that nothing can reach has no effect, however large it is: on reading in
// any chunks, or on the work for a type that is an array of itself.
func TestLargeLimits(t *testing.T) {
	text := []byte(`x <call>nest a=1</call> <call>t a=y b="x" c=[1]</call> <call>t(</call> ` +
		`<call>t {"a":"z"}</call>`)
	s := Setup{types, parse.Options{AllowAfterMalformed: true}}
	want, err := s.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1 << 30, math.MaxInt32, math.MaxInt - 1000, math.MaxInt - 1, math.MaxInt} {
		for _, s.Limits = range []parse.Limits{
			{Bytes: n}, {Depth: n}, {Arguments: n}, {Name: n}, {Bytes: n, Depth: n, Arguments: n, Name: n},
		} {
			for _, cuts := range [][]byte{nil, Bytewise(len(text))} {
				got, err := s.Read(Chunks(text, cuts)...)
				if diff := Differ(want, got); err != nil || diff != "" {
					t.Errorf("%+v: %v, %s", s.Limits, err, diff)
				}
			}
		}
	}
}
