package fuzz

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/stream"
)

// CheckProtocol checks that every promise of package parse holds for p: what passes
// is read the same at any split, loses no byte, executes nothing that was cut,
// takes linear time, and reads back what it writes. Messages are made of the calls
// that p writes, of pieces and damage of these, and of the seeds.
//
// A protocol that cannot write some arguments refuses them; that none are written is a
// fault.
func CheckProtocol(t *testing.T, p parse.Protocol, seeds ...string) {
	c := newChecker(p, seeds)
	t.Run("readings", c.readings)
	t.Run("truncation", c.truncation)
	t.Run("limits", c.limits)
	t.Run("work", c.work)
	t.Run("round trip", c.roundTrip)
	t.Run("transparency", c.transparency)
}

// protocolTools is a catalog whose places are of every type, for calls of any
// protocol.
var protocolTools = mustCompile(`[
	{"name": "get_weather", "inputSchema": {"type": "object", "required": ["city"], "properties": {
		"city": {"type": "string"}, "unit": {"enum": ["c", "f", 1, null]}, "days": {"type": "integer"}, "wind": {"type": ["number", "null"]},
		"tags": {"type": "array", "items": {"type": "string"}}, "at": {"type": "object", "properties": {"lat": {"type": "number"}, "on": {"type": "boolean"}}, "additionalProperties": false},
		"live": {"type": "boolean"}, "any": {}, "mixed": {"type": ["string", "object", "array", "integer"]}, "rows": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}}}, "free": {"type": "array", "items": {"type": "object"}}}}},
	{"name": "now", "inputSchema": {"type": "object", "properties": {}}},
	{"name": "t"}]`)

// protocolInputs are arguments, plain ones first.
var protocolInputs = []string{
	`{}`, `{"city":"Paris"}`, `{"city":"New York","days":3,"live":true}`, `{"city":"","unit":"c","wind":-1.50}`,
	`{"city":"line\nline\n","tags":["a","b c"],"at":{"lat":9007199254740993,"on":false}}`, `{"city":"true","mixed":"12","any":"null"}`,
	`{"city":"é😀\"\\/<>&","rows":[{"k":"v"},{"k":"1"}],"mixed":{"a":[1,{"b":null}]}}`, `{"city":"x","free":[{"a":1},{"b":{"c":"d"}}]}`, `{"city":"x","tags":[],"at":{},"rows":[]}`,
	`{"a":{"b":{"c":[[]]}},"__proto__":1e400,"constructor":"toString"}`, `{"city":"{\"name\": \"now\", \"arguments\": {}}","any":[1,"1",null]}`,
}

// checker checks one protocol.
type checker struct {
	p      parse.Protocol
	calls  []string // as p writes them
	pieces []string // of these
	seeds  []string
	err    error // why nothing can be checked
}

func newChecker(p parse.Protocol, seeds []string) *checker {
	c := &checker{p: p, seeds: seeds}
	for _, name := range []string{"get_weather", "now", "t"} {
		for _, input := range protocolInputs {
			text, err := (parse.FormatOptions{Protocol: p}).Format(protocolTools, name, []byte(input))
			if err != nil {
				continue
			}
			c.calls = append(c.calls, text)
		}
	}
	for _, text := range append(slices.Clone(c.calls), seeds...) {
		for len(text) > 0 {
			n := 1 + strings.IndexAny(text[1:], "<>{}[]\"',:=|/ \n`")
			if n == 0 {
				n = len(text)
			}
			if piece := text[:n]; len(piece) < 40 && !slices.Contains(c.pieces, piece) {
				c.pieces = append(c.pieces, piece)
			}
			text = text[n:]
		}
	}
	if len(c.calls) < 3 {
		c.err = fmt.Errorf("%s writes %d of %d calls", p, len(c.calls), 3*len(protocolInputs))
	}
	return c
}

// message makes a message.
func (c *checker) message(s Source) []byte {
	var b []byte
	for range 1 + s.IntN(4) {
		switch s.IntN(7) {
		case 0:
			b = append(b, Text(s)...)
		case 6:
			b = append(b, oneOf(s, "<think>", "<think>hm", "</think>", "[THINK]", "◁think▷é", "◁/think▷", "<thi", "◁")...)
		case 1, 2:
			b = append(b, oneOf(s, c.calls...)...)
		case 3:
			b = append(b, Damage(s, oneOf(s, c.calls...))...)
		case 4:
			for range s.IntN(12) {
				b = append(b, oneOf(s, c.pieces...)...)
			}
		case 5:
			if len(c.seeds) > 0 {
				b = append(b, Damage(s, oneOf(s, c.seeds...))...)
			}
			text := oneOf(s, c.calls...)
			at := s.IntN(len(text) + 1)
			b = append(b, text[:at]...)
			b = append(b, oneOf(s, oneOf(s, c.pieces...), Text(s))...)
			b = append(b, text[at:]...)
		}
	}
	return b
}

// setups are the ways in which messages are read.
func (c *checker) setups() []Setup {
	all := []Setup{
		{Catalog: protocolTools}, {}, {Catalog: protocolTools, Strict: true}, {Catalog: protocolTools, Stop: true, Accept: true}, {Accept: true},
		{Catalog: protocolTools, Limits: lexer.Limits{Bytes: 60, Depth: 1, Arguments: 2, Name: 3}}, {Limits: lexer.Limits{Bytes: 90, Depth: 2, Name: 5}, Accept: true},
		{Catalog: protocolTools, Reasoning: true}, {Catalog: protocolTools, Reasoning: true, Strict: true, Stop: true},
		{Catalog: protocolTools, Salvage: true}, {Salvage: true, Reasoning: true},
		{Catalog: protocolTools, Code: true}, {Catalog: protocolTools, Salvage: true, Code: true, Stop: true},
	}
	for i := range all {
		all[i].Protocol = c.p
	}
	return all
}

// readings checks what holds for any message.
func (c *checker) readings(t *testing.T) {
	if c.err != nil {
		t.Fatal(c.err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := Drawn(rt)
		setup := oneOf(s, c.setups()...)
		in := c.message(s)
		if wrong := c.Check(setup, in, Cuts(s, len(in))); wrong != "" {
			rt.Fatalf("%+v\n%s", setup, wrong)
		}
	})
}

// CheckReading checks every property of reading for one message under p, cut at
// cuts, and says which is broken.
func CheckReading(p parse.Protocol, in, cuts []byte) string {
	c := &checker{p: p}
	for _, s := range c.setups() {
		if wrong := c.Check(s, in, cuts); wrong != "" {
			return fmt.Sprintf("%+v\n%s", s, wrong)
		}
	}
	return ""
}

// Check is CheckReading under one setup.
func (c *checker) Check(s Setup, in, cuts []byte) string {
	var whole []Part
	for _, open := range []func(Setup) Reader{
		func(s Setup) Reader { return newParserReader(s) }, func(s Setup) Reader { return newDecoderReader(s) },
	} {
		var err error
		if whole, err = Read(open(s), in); err != nil {
			return fmt.Sprintf("%q: %v", in, err)
		}
		for _, cuts := range [][]byte{cuts, Bytewise(len(in))} {
			if diff := split(open, s, in, cuts); diff != "" {
				return diff
			}
		}
		if wrong := c.ends(open, s, in, cuts, whole); wrong != "" {
			return wrong
		}
	}
	return c.meaning(s, in, whole)
}

// ends checks what holds at the end of a message, and after Reset.
func (c *checker) ends(open func(Setup) Reader, s Setup, in, cuts []byte, whole []Part) string {
	if n := len(whole); n > 0 && whole[n-1].End != len(in) || n == 0 && len(in) > 0 {
		return fmt.Sprintf("%q: %+v does not tile it", in, whole)
	}
	r := open(s)
	for _, chunk := range Chunks(in[:len(in)/2], cuts) {
		if err := Lend(r, chunk); err != nil {
			return fmt.Sprintf("%q: %v", in, err)
		}
	}
	r.Abort()
	if r.Err() != nil || r.Done() != len(in)/2 {
		return fmt.Sprintf("%q aborted at %d: done %d, %v", in, len(in)/2, r.Done(), r.Err())
	}
	r.Reset()
	again, err := Read(r, Chunks(in, cuts)...)
	if err != nil {
		return fmt.Sprintf("%q after Reset: %v", in, err)
	}
	if diff := Differ(whole, again); diff != "" {
		return fmt.Sprintf("%q after Reset: %s", in, diff)
	}
	n := len(r.Parts())
	r.Feed([]byte("more"))
	r.Close()
	if len(r.Parts()) != n {
		return fmt.Sprintf("%q: parts after Close", in)
	}
	return ""
}

// meaning checks what the parts of a message may be.
func (c *checker) meaning(s Setup, in []byte, whole []Part) string {
	damaged := false
	for i, p := range whole {
		switch p.Kind {
		case kindMalformed:
			damaged = damaged || p.Code != lexer.InCode
			if p.At < p.Start || p.At > len(in) {
				return fmt.Sprintf("%q: %s at %d", in, p.Code, p.At)
			}
			if s.Stop || s.Accept || s.Salvage || s.Code { // what comes before matters
				continue
			}
			rest, err := Read(newParserReader(s), in[p.End:])
			if err != nil {
				return fmt.Sprintf("%q: %v", in[p.End:], err)
			}
			if diff := Differ(unmarked(Shift(rest, p.End)), unmarked(Shift(whole[i+1:], 0))); diff != "" {
				return fmt.Sprintf("%q after %q: %s", in[p.End:], in[:p.End], diff)
			}
		case kindCall:
			switch {
			case damaged && !p.After:
				return fmt.Sprintf("%q: %+v is not marked", in, p)
			case p.After && s.Stop:
				return fmt.Sprintf("%q: %+v is executed after damage", in, p)
			case s.Strict && len(p.Issues) > 0:
				return fmt.Sprintf("%q: %+v is executed", in, p)
			case len(p.Input) == 0 || p.Input[0] != '{' || !slices.Equal([]byte(p.Input), canonical([]byte(p.Input))):
				return fmt.Sprintf("%q: input %q", in, p.Input)
			}
		}
	}
	if s.Strict {
		s.Strict = false
		tolerant, err := Read(newParserReader(s), in)
		if err != nil {
			return fmt.Sprintf("%q: %v", in, err)
		}
		for _, p := range whole {
			same := func(q Part) bool {
				// What only tolerance opens, a string in single quotes or a comment, may
				// end much later: its span then reaches over later calls.
				swallowed := c.tolerates() && q.Kind != kindText && q.Start < p.Start && p.Start < q.End
				return swallowed || q.Start == p.Start && q.Name == p.Name && q.Input == p.Input && q.Kind == kindCall
			}
			if p.Kind == kindCall && !slices.ContainsFunc(tolerant, same) {
				return fmt.Sprintf("%q: %+v is read under strict only", in, p)
			}
		}
	}
	return ""
}

// tolerates reports whether the protocol reads deviations that strict reading refuses.
func (c *checker) tolerates() bool {
	p, ok := c.p.(protocol.Protocol)
	return ok && p.Allow != 0
}

// unmarked returns parts without the mark of calls after a malformed span.
func unmarked(parts []Part) []Part {
	for i := range parts {
		parts[i].After = false
	}
	return parts
}

// canonical returns the arguments that input is, in the spelling of package parse.
func canonical(input []byte) []byte {
	text, err := parse.FormatOptions{Limits: lexer.Limits{Depth: 1 << 20, Arguments: 1 << 20}}.Arguments(nil, "t", input)
	if err != nil {
		return nil
	}
	return text
}

// truncation checks that no beginning of a call is executed.
func (c *checker) truncation(t *testing.T) {
	if c.err != nil {
		t.Fatal(c.err)
	}
	s := Setup{Protocol: c.p, Catalog: protocolTools}
	for _, call := range c.calls {
		full, err := Read(newParserReader(s), []byte(call))
		if err != nil || len(full) != 1 || full[0].Kind != kindCall {
			t.Fatalf("%q: %+v, %v", call, full, err)
		}
		for n := range call {
			parts, err := Read(newParserReader(s), []byte(call[:n]))
			if err != nil {
				t.Fatalf("%q: %v", call[:n], err)
			}
			for _, p := range parts {
				if p.Kind == kindCall {
					t.Errorf("%q: executes %s %s", call[:n], p.Name, p.Input)
				}
			}
		}
	}
}

// limits checks that a call of N bytes passes a limit of N, and no lower one.
func (c *checker) limits(t *testing.T) {
	if c.err != nil {
		t.Fatal(c.err)
	}
	for _, call := range c.calls {
		for n := len(call) - 3; n <= len(call); n++ {
			s := Setup{Protocol: c.p, Catalog: protocolTools, Limits: lexer.Limits{Bytes: n}}
			for _, cuts := range [][]byte{nil, Bytewise(len(call))} {
				parts, err := Read(newParserReader(s), Chunks([]byte(call), cuts)...)
				if err != nil || len(parts) != 1 {
					t.Fatalf("%q under %d bytes: %+v, %v", call, n, parts, err)
				}
				if p := parts[0]; n == len(call) && p.Kind != kindCall || n < len(call) && (p.Code != lexer.CallTooLong || p.At != n) {
					t.Errorf("%q under %d bytes: %+v", call, n, p)
				}
			}
		}
	}
}

// work checks that twice the text is at most 2.2 times the work, in steps.
func (c *checker) work(t *testing.T) {
	if c.err != nil {
		t.Fatal(c.err)
	}
	const n = 1 << 11
	families := map[string]func(n int) string{"text": func(n int) string { return strings.Repeat("a < b ", n/6) }}
	for i, call := range c.calls {
		if i%4 == 1 {
			families[fmt.Sprintf("call %d", i)] = func(n int) string { return strings.Repeat(call, n/len(call)+1) }
			families[fmt.Sprintf("damage %d", i)] = func(n int) string { return call[:len(call)/2] + strings.Repeat(call[:len(call)/2], n/len(call)+1) }
		}
	}
	for i, piece := range c.pieces {
		if i%3 == 0 {
			families[fmt.Sprintf("piece %q", piece)] = func(n int) string {
				return c.calls[len(c.calls)-1][:len(c.calls[len(c.calls)-1])/2] + strings.Repeat(piece, n/len(piece)+1)
			}
		}
	}
	families["long string"] = func(n int) string {
		text, _ := parse.FormatOptions{Protocol: c.p}.Format(protocolTools, "get_weather", []byte(`{"city":"`+strings.Repeat("lorem ipsum\\n", n/12)+`"}`))
		return text
	}
	for name, family := range families {
		for _, s := range c.setups()[:2] {
			for _, size := range []int{1, 4, 1 << 20} {
				once, twice := c.steps(s, family(n), size), c.steps(s, family(2*n), size)
				if float64(twice) > growth*float64(once)+100 {
					t.Errorf("%s in chunks of %d: %d steps, for twice the text %d", name, size, once, twice)
				}
			}
		}
	}
}

// growth is how much more work twice the text may be: twice, and a tenth.
const growth = 2.2

// steps counts the steps that reading text in chunks of a size takes.
func (c *checker) steps(s Setup, text string, size int) int {
	r, err := parse.NewReader(s.Catalog, s.parse())
	if err != nil {
		panic(err)
	}
	drain := func() {
		for r.Next() != parse.NoPart {
		}
	}
	for _, chunk := range Sized([]byte(text), size) {
		r.Feed(chunk)
		drain()
	}
	r.Close()
	drain()
	return r.Steps()
}

// roundTrip checks that what is written reads back, in text that leaves no call
// open.
func (c *checker) roundTrip(t *testing.T) {
	if c.err != nil {
		t.Fatal(c.err)
	}
	written, tried := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		s := Drawn(rt)
		catalog := oneOf(s, protocolTools, nil)
		tool := oneOf(s, "get_weather", "now", "t")
		var input string
		if catalog != nil && chance(s, 2) {
			input = FitObject(s, catalog.Lookup([]byte(tool)).Args, 3)
		} else {
			input = anyObject(s, 3)
		}
		tried++
		o := parse.FormatOptions{Protocol: c.p}
		text, err := o.Format(catalog, tool, []byte(input))
		if err != nil {
			return
		}
		written++
		want := canonical([]byte(input))
		message := oneOf(s, "", "Let me see. ", "a < b\n") + text + oneOf(s, "", " done", "\n"+text)
		segs := parse.Options{Protocol: c.p}.Text(message, catalog)
		n := 0
		for _, seg := range segs {
			if seg.Kind == parse.Prose {
				continue
			}
			n++
			if seg.Kind != parse.Call || seg.Name != tool || !bytes.Equal(seg.Input, want) {
				rt.Fatalf("%s %s is written %q, read %s %s %v", tool, input, text, seg.Name, seg.Input, seg.Err)
			}
		}
		if n != strings.Count(message, text) {
			rt.Fatalf("%q is read as %d calls", message, n)
		}
	})
	if written*4 < tried {
		t.Errorf("%d of %d objects are written", written, tried)
	}
}

// anyObject returns a JSON object of any members, no key twice.
func anyObject(s Source, depth int) string {
	v := Value(s, depth)
	for i := 0; i < 20 && (v[0] != '{' || canonical([]byte(v)) == nil); i++ {
		v = Value(s, depth)
	}
	if v[0] != '{' {
		return `{"a":` + v + `}`
	}
	return v
}

// transparency checks that text without the first byte of an opener comes out
// identical.
func (c *checker) transparency(t *testing.T) {
	r, err := parse.NewReader(nil, parse.Options{Protocol: c.p})
	if err != nil {
		t.Fatal(err)
	}
	first := r.Opening()
	if first == 0 {
		return
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := Drawn(rt)
		text := strings.ReplaceAll(Text(s)+" "+Text(s), string(rune(first)), "")
		d := stream.NewDecoder(nil, stream.Options{Options: parse.Options{Protocol: c.p}})
		var got []byte
		for _, chunk := range Chunks([]byte(text), Cuts(s, len(text))) {
			for _, e := range d.Feed(chunk) {
				got = append(got, e.Delta...)
			}
		}
		for _, e := range d.Close() {
			got = append(got, e.Delta...)
		}
		if string(got) != text {
			rt.Fatalf("%q comes out as %q", text, got)
		}
	})
}

// split reads in whole and cut, and returns how the readings differ, or what
// promise was broken on the way.
func split(open func(Setup) Reader, s Setup, in, cuts []byte) string {
	whole, err := Read(open(s), in)
	if err != nil {
		return fmt.Sprintf("%q: %v", in, err)
	}
	got, err := Read(open(s), Chunks(in, cuts)...)
	if err != nil {
		return fmt.Sprintf("%q cut %v: %v", in, cuts, err)
	}
	if diff := Differ(whole, got); diff != "" {
		return fmt.Sprintf("%q cut %v: %s", in, cuts, diff)
	}
	return ""
}
