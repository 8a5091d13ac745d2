package parse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// testdata/salvage.txt has damaged calls, each a line and in it \n for the end of one, and
// under each what it is read as, or why it is not: what is meant and what could mean two
// things stand side by side there. What is read without a catalog begins with "?".
func TestSalvageReadings(t *testing.T) {
	var all strings.Builder
	for _, d := range damaged(t) {
		all.WriteString(d.line)
		for _, s := range (parse.Options{Salvage: true}).Text(d.text, d.catalog) {
			fmt.Fprintf(&all, "\t%s\n", reading(s))
		}
	}
	golden.Assert(t, all.String(), "salvage.txt")
}

// Wherever such a message ends, it is read in one chunk as byte by byte; and where it broke
// off, that is no end of a call.
func TestSalvageWhereverItEnds(t *testing.T) {
	o := parse.Options{Salvage: true}
	for _, d := range damaged(t) {
		p, err := parse.NewParser(d.catalog, o)
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(d.text) + 1 {
			text := d.text[:n]
			if a, b := summary(prosed(o.Text(text, d.catalog))), summary(bytewise(p, text)); a != b {
				t.Fatalf("%q\nin one chunk %sbyte by byte %s", text, a, b)
			}
			if a, b := givenOfOpen(p, text, n+1), givenOfOpen(p, text, 1); a != b {
				t.Fatalf("%q\nin one chunk gives out %s\nbyte by byte %s", text, a, b)
			}
			p.Reset()
			p.Feed([]byte(text))
			parts(p)
			p.Abort()
			parts(p)
			for _, is := range p.Segment().Issues {
				if is.Path == "missing-close" && is.At == n {
					t.Fatalf("%q breaks off, and is read as if that were its end", text)
				}
			}
		}
		parse.Release(p)
	}
}

// givenOfOpen returns what is given out of the call that is open at the end of text.
func givenOfOpen(p *parse.Parser, text string, size int) (input string) {
	p.Reset()
	for chunk := range slices.Chunk([]byte(text), size) {
		p.Feed(chunk)
		for part := p.Next(); part != parse.NoPart; part = p.Next() {
			if part == parse.InputPart {
				input += string(p.Delta())
				continue
			}
			if s := p.Segment(); part == parse.CallPart && input+string(p.Delta()) != string(s.Input) {
				return fmt.Sprintf("in chunks of %d something else than %s", size, s.Input)
			}
			input = ""
		}
	}
	if p.Segment().Kind != parse.Unfinished {
		return ""
	}
	return input
}

// What may still change is held back, and nothing else.
func TestSalvageHoldsBack(t *testing.T) {
	catalog := damaged(t)[0].catalog
	p, err := parse.NewParser(catalog, parse.Options{Salvage: true})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`<call>t `: ``, `<call>t a=`: `{`, `<call>t a=x`: `{`, `<call>t a=x `: `{"a":`, `<call>t a="`: `{`, `<call>t a="x`: `{"a":"x`, `<call>t a="x" `: `{"a":"x"`, `<call>t a=""`: `{"a":"`, `<call>t a="" `: `{"a":"`, `<call>t a="" b`: `{"a":"`, `<call>t a="" b=`: `{"a":""`,
		`<call>t b=1234567 a="" `: `{"b":1234567,"a":"`, `<call>t b=1234567 a="x" `: `{"b":1234567,"a":"x"`, `<call>t b=1234567 l=[] `: `{"b":1234567,"l":[]`, `<call>t b=1234567 a=x `: `{"b":1234567,"a":`,
		`<call>t a=x b=`: `{"a":"x"`, `<call>t a=x, b=1 n=2 `: `{"a":`, `<call>t a="x" n=`: `{"a":"x"`, `<call>t a="x" n=1 `: `{"a":"x","n":`, `<call>t l=[`: `{"l":[`, `<call>t l=["x",`: `{"l":["x"`, `<call>t l=["x"] `: `{"l":["x"]`, `<call>t {"a":"x"`: `{"a":"x"`, `<call>t a=“x” `: `{"a":`,
	} {
		for _, size := range []int{1, len(text)} {
			if got := givenOfOpen(p, text, size); got != want {
				t.Errorf("%s in chunks of %d: %s, want %s", text, size, got, want)
			}
		}
	}
}

// damage is a damaged message, and what is known of its tools.
type damage struct {
	line, text string
	catalog    *sig.Catalog
}

// damaged returns the messages of testdata/salvage.txt.
func damaged(t *testing.T) (all []damage) {
	catalog := compiled(t, `[
		{"name":"t","inputSchema":{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"},"b":{"type":["string","integer"]},
			"n":{"type":"integer"},"l":{"type":"array","items":{"type":"string"}},"o":{"type":"object","properties":{"k":{"type":"string"},"m":{"type":"integer"}}}}}},
		{"name":"u","inputSchema":{"type":"object","additionalProperties":false,"properties":{}}},
		{"name":"w","inputSchema":{"type":"object","additionalProperties":false,"properties":{"args":{"type":"integer"},"p.q":{"type":"string"}}}},
		{"name":"one","inputSchema":{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}}}},
		{"name":"get_user"},{"name":"x_y"},{"name":"x-y"},{"name":"tool"}]`)
	for line := range strings.Lines(string(golden.Get(t, "salvage.txt"))) {
		if !strings.HasPrefix(line, "\t") {
			d := damage{line: line, text: strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n"), catalog: catalog}
			if text, unknown := strings.CutPrefix(d.text, "?"); unknown {
				d.text, d.catalog = text, nil
			}
			all = append(all, d)
		}
	}
	if len(all) < 800 {
		t.Errorf("%d messages", len(all))
	}
	return all
}

// reading tells what was read, in a line.
func reading(s parse.Segment) string {
	var b strings.Builder
	switch s.Kind {
	case parse.Prose:
		fmt.Fprintf(&b, "text %q", s.Text)
	case parse.Call:
		fmt.Fprintf(&b, "%s %s", s.Name, s.Input)
	default:
		fmt.Fprintf(&b, "%s@%d", s.Err.Code, s.Err.Offset)
	}
	for _, is := range s.Issues {
		fmt.Fprintf(&b, " %s(%s)@%d", is.Code, is.Path, is.At)
	}
	if s.AfterMalformed {
		b.WriteString(" after malformed")
	}
	return b.String()
}
