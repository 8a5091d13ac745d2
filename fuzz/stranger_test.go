package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// The generators here share only the source of choices with the others of this package, so
// that they may find what those miss: any schema, any value, any limits, any options, misused
// in any way.

// strangeName returns the name of a property: short, long, dotted, or with characters that
// JSON and the wire format escape.
func strangeName(s Source) string {
	switch s.IntN(9) {
	case 0, 1, 2:
		return string(rune('a' + s.IntN(6)))
	case 3:
		return strings.Repeat(string(rune('a'+s.IntN(3))), 1+s.IntN(70))
	case 4:
		return string(rune('a'+s.IntN(3))) + "." + string(rune('a'+s.IntN(3)))
	case 5:
		return fmt.Sprintf("p%d", s.IntN(70))
	case 6:
		return strings.Repeat(string(rune('a'+s.IntN(2)))+".", 1+s.IntN(4)) + "z"
	case 7:
		return string([]rune{rune(s.IntN(0x7f)), rune(0x80 + s.IntN(0x2000)), 'x'}[s.IntN(2):])
	}
	return []string{"", "a b", "<call>", "\"", "[0]", "é", "0", "a=b", "\\", "@c"}[s.IntN(10)]
}

// strangeSchema returns a schema of any kind.
func strangeSchema(s Source, depth int) string {
	if depth <= 0 {
		return []string{`{"type":"integer"}`, `{"type":"string"}`, `{}`, `true`, `{"type":["boolean","null"]}`, `{"enum":["a",1,null]}`, `{"type":"number"}`, `{"const":[1]}`}[s.IntN(8)]
	}
	switch s.IntN(5) {
	case 0:
		return strangeSchema(s, 0)
	case 1:
		return `{"type":"array","items":` + strangeSchema(s, depth-1) + `}`
	case 2:
		return `{"anyOf":[` + strangeSchema(s, depth-1) + `,` + strangeSchema(s, depth-1) + `]}`
	}
	return strangeObject(s, depth, 5)
}

// strangeObject returns the schema of an object, rarely one with very many properties.
func strangeObject(s Source, depth, most int) string {
	n := s.IntN(most)
	if chance(s, 12) {
		n += 62
	}
	names, seen := []string{}, map[string]bool{}
	for i := range n {
		name := fmt.Sprintf("p%d", i)
		if n < 60 {
			name = strangeName(s)
		}
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{`)
	var required []string
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(name)
		b.Write(key)
		b.WriteByte(':')
		if n < 60 || i > 60 {
			b.WriteString(strangeSchema(s, depth-1))
		} else {
			b.WriteString(`{}`)
		}
		if s.IntN(4) == 0 {
			required = append(required, string(key))
		}
	}
	b.WriteString(`},"required":[` + strings.Join(required, ",") + `]`)
	b.WriteString([]string{``, `,"additionalProperties":true`, `,"additionalProperties":false`, `,"additionalProperties":{"type":"integer"}`}[s.IntN(4)])
	b.WriteByte('}')
	return b.String()
}

// strangeValue returns any JSON value.
func strangeValue(s Source, depth int) any {
	kinds := 8
	if depth <= 0 {
		kinds = 6
	}
	switch s.IntN(kinds) {
	case 0:
		return json.Number([]string{"0", "-1.50", "1e5", "12345678901234567890.0"}[s.IntN(4)])
	case 1:
		return chance(s, 2)
	case 2:
		return nil
	case 3:
		return strangeName(s)
	case 4:
		return strings.Repeat(strangeName(s), s.IntN(20))
	case 5:
		inner, _ := json.Marshal(strangeValue(s, depth-1))
		return string(inner)
	case 6:
		list := []any{}
		for range s.IntN(4) {
			list = append(list, strangeValue(s, depth-1))
		}
		return list
	}
	return strangeArguments(s, depth-1, 5)
}

// strangeArguments returns an object, rarely a very wide one.
func strangeArguments(s Source, depth, most int) map[string]any {
	o := map[string]any{}
	n := s.IntN(most)
	if chance(s, 20) {
		n *= 20
	}
	for range n {
		o[strangeName(s)] = strangeValue(s, depth)
	}
	return o
}

// strangeLimit returns a limit, usually one that matters.
func strangeLimit(s Source, about int) int {
	switch s.IntN(8) {
	case 0, 1:
		return 0
	case 2:
		return -1 - s.IntN(3)
	case 3:
		return []int{math.MaxInt, math.MaxInt - 1, math.MinInt, math.MaxInt - 64, 1 << 30, 1 << 31, 1 << 62}[s.IntN(7)]
	case 4:
		return 1 + s.IntN(8)
	}
	return max(1, about-4+s.IntN(9))
}

func strangeLimits(s Source, bytes int) lexer.Limits {
	return lexer.Limits{Bytes: strangeLimit(s, bytes), Depth: strangeLimit(s, 3), Arguments: strangeLimit(s, 4), Name: strangeLimit(s, 4)}
}

// strangeSetup returns a catalog of the tools t and tool, and options.
func strangeSetup(s Source) (*sig.Catalog, stream.Options) {
	var catalog *sig.Catalog
	if !chance(s, 4) {
		catalog = mustCompile(fmt.Sprintf(`[{"name":"t","inputSchema":%s},{"name":"tool","inputSchema":%s}]`, strangeObject(s, 3, 6), strangeObject(s, 2, 3)))
	}
	o := stream.Options{Options: parse.Options{
		Limits: strangeLimits(s, 60), Strict: chance(s, 4), StopAfterMalformed: chance(s, 4), AcceptAtEnd: chance(s, 3),
		Delims: []lexer.Delims{{}, {}, {}, {Open: "@c", Close: "@/c"}, {Open: "<<", Close: ">>"}, {Open: "bad"}, {Open: "-1", Close: "+1"}}[s.IntN(7)],
	}, StripText: stream.Strip(s.IntN(3)), MalformedAsText: chance(s, 3)}
	if chance(s, 3) {
		with := []string{"<call>t</call>", "<call>t a=1</call>", "", "<call>tool b=x</call><call>t</call>", "<call>t("}[s.IntN(5)]
		with = Retag(with, legal(o.Delims))
		o.Mend = func(parse.Segment) (string, bool) { return with, with != "" }
	}
	return catalog, o
}

// legal returns d, or the default tags if it is not legal.
func legal(d lexer.Delims) lexer.Delims {
	if d.OrDefault().Validate() != nil {
		return lexer.Delims{}
	}
	return d
}

// strangeMessage returns a mix of written, damaged and truncated calls, and text.
func strangeMessage(s Source, catalog *sig.Catalog, tags lexer.Delims) []byte {
	var b []byte
	for range 1 + s.IntN(5) {
		switch s.IntN(6) {
		case 0:
			b = append(b, []string{"text ", "<", "é", "\xf0\x9f", "<call>", "</call>", "\n", "@", " "}[s.IntN(9)]...)
		case 1:
			b = append(b, Retag([]string{"<call>t a=1 b.c=x b.d=[y, z]</call>", "<call>tool {\"a\":[{}],\"b\":\"\\u00e9\"}</call>", "<call>t a=1 a=2</call>", "<call>t p1=x p63=y p64=z p1=0</call>", "<call>t a='x</call>"}[s.IntN(5)], tags)...)
		default:
			input, _ := json.Marshal(strangeArguments(s, 3, 5))
			text, err := parse.FormatOptions{Delims: tags, JSON: chance(s, 3)}.Format(nil, []string{"t", "tool", "unknown"}[s.IntN(3)], input)
			if err != nil {
				continue
			}
			call := []byte(text)
			for range s.IntN(3) {
				i := s.IntN(len(call))
				switch s.IntN(3) {
				case 0:
					call[i] = "<\"'\\ =.[]{},:\xff0a"[s.IntN(16)]
				case 1:
					call = append(call[:i:i], call[i+1:]...)
				default:
					call = call[:i+1]
				}
				if len(call) == 0 {
					break
				}
			}
			b = append(b, call...)
		}
	}
	return b
}

// transcript is what a consumer received, with deltas joined.
type transcript struct {
	lines []string
	open  bool // the last line is a delta that may continue
}

func (c *transcript) take(events []stream.Event, spoilt bool) {
	for i := range events {
		e := &events[i]
		switch e.Type {
		case stream.TextDelta, stream.ToolInputDelta:
			if !c.open {
				c.lines = append(c.lines, e.Type.String()+" "+e.ID+" ")
				c.open = true
			}
			c.lines[len(c.lines)-1] += string(e.Delta)
		default:
			c.open = false
			line := fmt.Sprintf("%s %s %s %d %d", e.Type, e.ID, e.Name, e.Start, e.End)
			if o := e.Segment; o != nil {
				line += fmt.Sprintf(" %s %q %t %t %t %t %v", o.Input, o.Text, o.Cut, o.Closed, o.Mended, o.AfterMalformed, o.Err)
				for _, is := range o.Issues {
					line += fmt.Sprintf(" %s(%s)%d", is.Code, is.Path, is.At)
				}
			}
			c.lines = append(c.lines, line)
		}
		if spoilt {
			spoil(e)
		}
	}
}

// TestStrangeStreams: properties 1, 2, 19 and 20, under any options. The transcript does not
// depend on how a message is cut, on what the consumer does to the events, or on what was done
// to the decoder before its Reset.
func TestStrangeStreams(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := Drawn(rt)
		catalog, opts := strangeSetup(s)
		tags := legal(opts.Delims)
		in := strangeMessage(s, catalog, tags)
		var want transcript
		whole := stream.NewDecoder(catalog, opts)
		want.take(whole.Feed(bytes.Clone(in)), false)
		want.take(whole.Close(), false)
		var got transcript
		d := stream.NewDecoder(catalog, opts)
		for range s.IntN(5) { // misuse
			switch s.IntN(5) {
			case 0:
				d.Feed(strangeMessage(s, catalog, tags))
			case 1:
				d.Close()
			case 2:
				d.Abort()
			case 3:
				_ = d.Err()
			default:
				d.FeedString("<call>t a=")
			}
		}
		d.Reset()
		for _, c := range Chunks(in, Cuts(s, len(in))) {
			own := bytes.Clone(c)
			got.take(d.Feed(own), true)
			clear(own)
		}
		got.take(d.Close(), true)
		if a, b := strings.Join(want.lines, "\n"), strings.Join(got.lines, "\n"); a != b {
			rt.Fatalf("%q under %+v\nwhole\n%s\nin chunks\n%s", in, opts, a, b)
		}
	})
}

// TestStrangeWriting: properties 12, 13, 14 and 21, for any schema, value and limits. What is
// written is one call that reads back and is written again as the same text; what limits
// refuse is refused in every form.
func TestStrangeWriting(t *testing.T) {
	written := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := Drawn(rt)
		catalog, opts := strangeSetup(s)
		opts.Delims = legal(opts.Delims)
		input, err := json.Marshal(strangeArguments(s, 4, 6))
		if err != nil {
			rt.Fatal(err)
		}
		form := func(o parse.FormatOptions) (string, lexer.Code) {
			text, err := o.Format(catalog, "t", input)
			var e *lexer.Error
			if err != nil && !errors.As(err, &e) {
				rt.Fatalf("%s: %v", input, err)
			}
			if err != nil {
				return "", e.Code
			}
			return text, ""
		}
		free, code := form(parse.FormatOptions{Delims: opts.Delims, Limits: Boundless})
		if code != "" {
			if opts.Delims.IsDefault() {
				rt.Fatalf("%s is refused: %s", input, code)
			}
			return
		}
		limits := strangeLimits(s, len(free))
		reads := func(text string) bool {
			segs := parse.Options{Delims: opts.Delims, Limits: limits}.Text(text, catalog)
			return len(segs) == 1 && segs[0].Kind == parse.Call && sameJSON(segs[0].Input, input)
		}
		text, code := form(parse.FormatOptions{Delims: opts.Delims, Limits: limits})
		if code == "" {
			written++
			if !reads(text) {
				rt.Fatalf("%s is written as %q under %+v, and not read", input, text, limits)
			}
			if again, _ := form(parse.FormatOptions{Delims: opts.Delims, Limits: limits}); again != text {
				rt.Fatalf("%s is written as %q and as %q", input, text, again)
			}
			return
		}
		body, bodyCode := form(parse.FormatOptions{Delims: opts.Delims, Limits: Boundless, JSON: true})
		if reads(free) || bodyCode == "" && reads(body) {
			rt.Fatalf("%s under %+v is refused (%s), and %q or %q is read", input, limits, code, free, body)
		}
	})
	t.Logf("%d written", written)
}

// TestStrangeWork: properties 1, 4 and 9, for all readers under any options. The segments of a
// whole text tile it, at linear cost.
func TestStrangeWork(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := Drawn(rt)
		catalog, opts := strangeSetup(s)
		tags := legal(opts.Delims)
		in := strangeMessage(s, catalog, tags)
		at := 0
		o := parse.Options{Delims: opts.Delims, Limits: opts.Limits, Strict: opts.Strict, AcceptAtEnd: opts.AcceptAtEnd, StopAfterMalformed: opts.StopAfterMalformed, Mend: opts.Mend}
		for _, seg := range o.Text(string(in), catalog) {
			if seg.Start != at || seg.End <= at || len(seg.Issues) > 1000 || (seg.Kind == parse.Malformed) != (seg.Err != nil && !seg.Mended) {
				rt.Fatalf("%q: at %d %+v", in, at, seg)
			}
			at = seg.End
			for i, is := range seg.Issues {
				if is.Code == "" || !seg.Mended && (is.At < seg.Start || is.At > seg.End) || i > 0 && is.At < seg.Issues[i-1].At {
					rt.Fatalf("%q: %+v", in, seg.Issues)
				}
			}
			if seg.Kind == parse.Call && !json.Valid(seg.Input) {
				rt.Fatalf("%q: input %s", in, seg.Input)
			}
		}
		if at != len(in) {
			rt.Fatalf("%q is read up to %d", in, at)
		}
		p, _ := parse.NewParser(catalog, o)
		for _, c := range Chunks(in, Cuts(s, len(in))) {
			p.Feed(c)
			for p.Next() != parse.NoPart {
			}
		}
		p.Close()
		for p.Next() != parse.NoPart {
		}
		if most := 12*len(in) + 400; p.Steps() > most {
			rt.Fatalf("%q takes %d steps", in, p.Steps())
		}
	})
}
