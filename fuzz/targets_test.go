package fuzz

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// The native targets. Each takes a text and the lengths of its chunks, or the choices of a
// generator, as bytes, so that both shrink. The corpus provides seeds.

// seed adds the texts of the corpus with one of these topics, or all texts, each with cuts.
func seed(f *testing.F, topics ...string) {
	f.Helper()
	for i, c := range corpus.Cases() {
		wanted := len(topics) == 0
		for _, t := range topics {
			wanted = wanted || c.Topic() == t
		}
		if wanted && c.Op == corpus.Parse && len(c.Text) < 500 {
			f.Add([]byte(c.Text), []byte{byte(i % 7), 1, 0, 2, 1, 1, byte(i % 31)})
		}
	}
}

// small bounds what is read, so that the cheap checks stay cheap.
const small = 1 << 12

// FuzzFraming: properties 1 to 7, 15, 16 and 18 for the lexer. Where text ends and calls begin
// does not depend on the chunks, and the grammar agrees.
func FuzzFraming(f *testing.F) {
	seed(f, "framing", "recovery", "security", "near-misses")
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		if len(in) > small {
			return
		}
		for _, s := range setups[:7] {
			if diff := split(newLexer, s, in, cuts); diff != "" {
				t.Fatalf("%+v\n%s", s, diff)
			}
		}
		if diff := Diff(string(in), Setup{}); diff != "" {
			t.Fatal(diff)
		}
		for _, s := range []Setup{{}, {Accept: true, Limits: lexer.Limits{Bytes: 24}}} {
			if wrong := heldBack(in[:min(len(in), 40)], s); wrong != "" { // the grammar reads every prefix
				t.Fatal(wrong)
			}
		}
	})
}

func newLexer(s Setup) Reader   { return newLexerReader(s) }
func newParser(s Setup) Reader  { return newParserReader(s) }
func newDecoder(s Setup) Reader { return newDecoderReader(s) }

// FuzzBody: properties 2, 10 and 21, for what is between a name and a close tag. It is a body
// for the grammar if and only if it is one for the parser.
func FuzzBody(f *testing.F) {
	for _, c := range corpus.Cases() {
		if body, ok := bytes.CutPrefix(c.Text, []byte("<call>t")); ok && len(body) < 500 {
			f.Add(bytes.TrimSuffix(body, []byte("</call>")), []byte{1, 2, 3})
		}
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		if len(in) > small {
			return
		}
		text := "<call>t" + string(in) + "</call>"
		for _, s := range []Setup{{}, {Accept: true}, {Limits: lexer.Limits{Bytes: 40, Depth: 2, Arguments: 3}}} {
			if diff := Diff(text, s); diff != "" {
				t.Fatalf("%+v\n%s", s, diff)
			}
			if diff := split(newParser, s, []byte(text), cuts); diff != "" {
				t.Fatalf("%+v\n%s", s, diff)
			}
		}
	})
}

// FuzzValues: properties 2, 10 and 12, for one value in every place that allows a value. What
// is read is JSON, and reads back after writing.
func FuzzValues(f *testing.F) {
	for _, v := range []string{"x", "1", `"a\n"`, `'it\'s'`, "[1, x, 'y',]", `{"a":{b: [c d]}}`, `"\ud83d\ude00\ud83d"`, "", "1e400", `r"x`, "[[[]]]"} {
		f.Add([]byte(v), []byte{1})
	}
	for i, c := range corpus.Cases() { // the values of single arguments
		if v, ok := bytes.CutPrefix(c.Text, []byte("<call>t a=")); ok && len(v) < 200 {
			f.Add(bytes.TrimSuffix(v, []byte("</call>")), []byte{byte(i % 5), 1})
		}
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		if len(in) > small {
			return
		}
		for _, around := range [][2]string{{"<call>t a=", "</call>"}, {"<call>t a=[", "] b=1</call>"}, {"<call>t {\"a\":", "}</call>"}, {"<call>t a={b:", "}</call>"}} {
			text := []byte(around[0] + string(in) + around[1])
			if diff := Diff(string(text), Setup{}); diff != "" {
				t.Fatal(diff)
			}
			if diff := split(newDecoder, Setup{}, text, cuts); diff != "" {
				t.Fatal(diff)
			}
			checkCalls(t, text, nil)
		}
	})
}

// checkCalls checks that the input of each call of text is JSON that is the same after writing
// and reading.
func checkCalls(t *testing.T, text []byte, catalog *sig.Catalog) {
	t.Helper()
	for _, s := range parse.Text(string(text), catalog) {
		if s.Kind != parse.Call {
			continue
		}
		if !json.Valid(s.Input) {
			t.Fatalf("%q: input %q is not JSON", text, s.Input)
		}
		tr := trip{catalog: catalog, tool: s.Name, input: string(s.Input), before: "<", after: "\""}
		if wrong, _ := tr.check(); wrong != "" {
			t.Fatalf("%q: %s", text, wrong)
		}
	}
}

// FuzzTyping: properties 2, 11, 12 and 22, with a catalog that the first bytes choose.
func FuzzTyping(f *testing.F) {
	for i, c := range corpus.Cases() {
		if c.Op == corpus.Parse && c.Tools != nil && len(c.Text) < 300 {
			f.Add([]byte(c.Text), []byte{1, 4, 2}, []byte{byte(i), byte(i >> 3), byte(i * 7)})
		}
	}
	f.Fuzz(func(t *testing.T, in, cuts, tools []byte) {
		if len(in) > small || len(tools) > 200 {
			return
		}
		catalog := types
		if len(tools) > 0 {
			catalog = mustCompile(Tools(&Choices{tools}))
		}
		for _, s := range []Setup{{Catalog: catalog}, {Catalog: catalog, Strict: true}} {
			if diff := split(newParser, s, in, cuts); diff != "" {
				t.Fatalf("%+v\n%s", s, diff)
			}
			if diff := batch(sample{in, cuts, s}); diff != "" {
				t.Fatalf("%q, %+v: %s", in, s, diff)
			}
		}
		if diff := strictly(in, catalog); diff != "" {
			t.Fatal(diff)
		}
		checkCalls(t, in, catalog)
	})
}

// FuzzRoundTrip: properties 12, 13 and 14, for an object, a catalog, tags and surroundings that
// the bytes choose.
func FuzzRoundTrip(f *testing.F) {
	for i := range 64 {
		f.Add([]byte{byte(i), byte(i * 3), byte(i * 5), 7, 1, byte(i * 11), 2, 3, byte(i), 5, 8, 13}, []byte{byte(i), 1, 2})
	}
	f.Fuzz(func(t *testing.T, in, tools []byte) {
		if len(in) > small || len(tools) > 200 {
			return
		}
		var catalog *sig.Catalog
		if len(tools) > 0 {
			catalog = mustCompile(Tools(&Choices{tools}))
		}
		tr := Trip(&Choices{in}, catalog)
		if wrong, _ := tr.check(); wrong != "" {
			t.Fatalf("%s\n%s", tr, wrong)
		}
	})
}

// FuzzStream: properties 1 to 5, 7, 11 and 17 to 20, for the decoder.
func FuzzStream(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		if len(in) > small {
			return
		}
		for _, s := range setups {
			if diff := split(newDecoder, s, in, cuts); diff != "" {
				t.Fatalf("%+v\n%s", s, diff)
			}
			if diff := batch(sample{in, cuts, s}); diff != "" {
				t.Fatalf("%q cut %v, %+v: %s", in, cuts, s, diff)
			}
		}
		for _, s := range []Setup{{}, {Accept: true, Catalog: groups}} {
			read := len(in)
			if len(cuts) > 0 {
				read = len(in) * int(cuts[len(cuts)-1]) / 255
			}
			checkBrokenOff(t, newDecoder(s), sample{in, cuts, s}, read)
			for _, r := range []Reader{newDecoder(s), newParser(s)} {
				if wrong := late(r, in); wrong != "" {
					t.Fatalf("%+v: %s", s, wrong)
				}
			}
			if wrong := ragged(sample{in, cuts, s}); wrong != "" {
				t.Fatalf("%+v: %s", s, wrong)
			}
		}
		r := newDecoderReader(Setup{})
		r.Feed(in)
		r.Reset()
		got, err := Read(r, Chunks(in, cuts)...)
		want, _ := Read(newDecoder(Setup{}), in)
		if err != nil || Differ(want, got) != "" {
			t.Fatalf("%q after Reset: %v, %s", in, err, Differ(want, got))
		}
		if n := len(r.dec.Feed(in)) + len(r.dec.Close()); n > 0 {
			t.Fatalf("%q: %d events after Close", in, n)
		}
	})
}

// FuzzLexer: properties 2, 4 and 9. Tokens tile the input, do not depend on the cuts, and take
// a bounded number of steps for each byte and chunk.
func FuzzLexer(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		if len(in) > small {
			return
		}
		for _, s := range setups[:7] {
			if diff := split(newLexer, s, in, cuts); diff != "" {
				t.Fatalf("%+v\n%s", s, diff)
			}
			r := newLexerReader(s)
			parts, err := Read(r, Chunks(in, cuts)...)
			if err != nil {
				t.Fatal(err)
			}
			at := 0
			for _, p := range parts {
				if p.Start != at || p.Text != string(in[p.Start:p.End]) {
					t.Fatalf("%q: %+v after offset %d", in, p, at)
				}
				at = p.End
			}
			if at != len(in) {
				t.Fatalf("%q: tokens end at %d", in, at)
			}
			if n := r.lex.Steps(); n > 8*len(in)+64*(len(cuts)+1) {
				t.Fatalf("%q cut %v: %d steps", in, cuts, n)
			}
		}
	})
}

// FuzzDiff: property 10. The grammar with its checker and the lexer with the parser agree on
// every byte, with every setup without types.
func FuzzDiff(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		if len(in) > small {
			return
		}
		for _, s := range setups {
			if s.typed() {
				continue
			}
			text := Retag(string(in), s.Delims)
			if diff := Diff(text, s); diff != "" {
				t.Fatalf("%+v\n%s", s, diff)
			}
			if diff := split(newParser, s, []byte(text), cuts); diff != "" {
				t.Fatalf("%+v\n%s", s, diff)
			}
		}
	})
}

// FuzzRepair: Repair returns JSON, and repairing that again changes nothing and finds nothing
// to coerce.
func FuzzRepair(f *testing.F) {
	for _, c := range corpus.Cases() {
		if c.Op == corpus.Format {
			f.Add([]byte(c.Input), []byte{})
		}
	}
	f.Add([]byte(`{"a":"1","b":1,"c":3,"d":"{\"e\":1}","key":"True","v":"[1]"}`), []byte{})
	f.Add([]byte(`"{\"a\":1}"`), []byte{1})
	f.Fuzz(func(t *testing.T, in, tools []byte) {
		if len(in) > small || len(tools) > 200 {
			return
		}
		catalog := types
		if len(tools) > 0 {
			catalog = mustCompile(Tools(&Choices{tools}))
		}
		once, _, err := parse.Repair(catalog, "t", in)
		if err != nil {
			return
		}
		if !json.Valid(once) {
			t.Fatalf("%q becomes %q", in, once)
		}
		twice, _, err := parse.Repair(catalog, "t", once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q becomes %q, and that %q, %v", in, once, twice, err)
		}
		plain, _, err := parse.Repair(nil, "t", in)
		if err != nil || in[0] == '{' && !sameJSON(plain, in) {
			t.Fatalf("%q becomes %q without a catalog, %v", in, plain, err)
		}
	})
}

// FuzzSchema: property 1 for schemas, and 2 and 12 with them. Any JSON as a schema compiles or
// is refused; with one that compiles, reading calls does not depend on the cuts, and writing
// them is faithful.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"$ref":"#"}}}`), []byte(`<call>t a.a={"a":1}</call>`))
	for i, c := range corpus.Cases() {
		if c.Op == corpus.Parse && c.Tools != nil && i%5 == 0 {
			var tools []sig.Tool
			if json.Unmarshal(c.Tools, &tools) == nil && len(tools) > 0 {
				f.Add([]byte(tools[0].Schema), []byte(c.Text))
			}
		}
	}
	f.Fuzz(func(t *testing.T, schema, in []byte) {
		if len(schema) > small || len(in) > small || !json.Valid(schema) {
			return
		}
		catalog, err := sig.Compile([]sig.Tool{{Name: "t", Schema: schema}})
		if err != nil {
			return
		}
		if diff := split(newDecoder, Setup{Catalog: catalog}, in, Bytewise(len(in))); diff != "" {
			t.Fatalf("%s\n%s", schema, diff)
		}
		checkCalls(t, in, catalog)
	})
}

// FuzzHistory: TestHistory for a history that the bytes choose.
func FuzzHistory(f *testing.F) {
	for i := range 64 {
		f.Add([]byte{byte(i), 1, byte(i * 3), 0, 2, byte(i * 5), 7, 1, byte(i * 11), 2, 3, byte(i), 5, 8, 13, 2, byte(i * 7), 1, 1, 4, 0, 2, byte(i), 3, 1})
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > small {
			return
		}
		r, ok := newRewriting(&Choices{choices})
		if !ok {
			return
		}
		if wrong := r.check(); wrong != "" {
			t.Fatalf("%s\ntags %q\n%+v\nbecame\n%+v", wrong, r.delims, r.Messages, r.out)
		}
	})
}
