package constrain

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

func compile(t testing.TB, tools any) *sig.Catalog {
	t.Helper()
	c, err := sig.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// one returns a catalog of one tool, t, with the schema.
func one(t testing.TB, schema string) *sig.Catalog {
	t.Helper()
	return compile(t, []sig.Tool{{Name: "t", Schema: []byte(schema)}})
}

func newGrammar(t testing.TB, c *sig.Catalog, o Options) *Grammar {
	t.Helper()
	g, err := New(c, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// match reports whether the grammar derives the message.
func match(g *Grammar, text string) bool {
	g = g.orProse()
	return g.root.match(text)
}

// matchCall reports whether the grammar derives one call with its tags.
func matchCall(g *Grammar, text string) bool {
	body, opens := strings.CutPrefix(text, g.o.Tags.Open)
	body, closes := strings.CutSuffix(body, g.o.Tags.Close)
	return g.call != nil && opens && closes && g.call.match(body)
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// reading is how calls are read and written: a format with these tags.
type reading struct {
	format *format.Format
	tags   format.Tags
}

// wire is the wire format with its own tags.
var wire = reading{}

// read returns the segments of text. Unlike other zero options, these accept every call.
func (f reading) read(t rapid.TB, c *sig.Catalog, text string, o parse.Options) []parse.Segment {
	t.Helper()
	o.Format, o.Tags = f.format, f.tags
	segments, err := parse.Message(c, text, &o)
	if err != nil {
		t.Fatal(err)
	}
	return segments
}

// write writes a call, without the tags of a section.
func (f reading) write(c *sig.Catalog, call *parse.Call, inJSON bool) (string, error) {
	o := &parse.FormatOptions{Format: f.format, Tags: f.tags, JSON: inJSON}
	text, err := parse.FormatCall(c, call.Name, call.Input, o)
	if f.format != nil {
		text = strings.TrimPrefix(text, f.format.Section.Open)
		text = strings.TrimSuffix(text, f.format.Section.Close)
	}
	return text, err
}

// checkReads fails if text, a sample, is malformed or has an issue. It returns the
// calls.
func checkReads(t rapid.TB, c *sig.Catalog, f reading, text string) (calls []parse.Segment) {
	t.Helper()
	for _, s := range f.read(t, c, text, parse.Options{Strict: true, AllowInCode: true, AllowAfterMalformed: true}) {
		switch {
		case s.Err != nil:
			t.Errorf("%q: %v", text, s.Err)
		case s.Call == nil:
		case len(s.Call.Issues) > 0 || s.Call.AfterMalformed:
			t.Errorf("%q: %v", text, s.Call.Issues)
		default:
			calls = append(calls, s)
		}
	}
	return calls
}

// opensQuote matches a word that a repair may take for the beginning of a quoted string, which ends
// in another call.
var opensQuote = regexp.MustCompile("[=:,\\[]\\s*`")

// checkRepair fails where a reader that repairs finds other calls in text than the ones given, or
// repairs or doubts one. Unless they are accepted, those in Markdown code are reported.
func checkRepair(t rapid.TB, c *sig.Catalog, f reading, text string, calls []parse.Segment) {
	t.Helper()
	if opensQuote.MatchString(text) {
		return
	}
	for _, accepted := range []bool{false, true} {
		n := 0
	segments:
		for _, s := range f.read(t, c, text, parse.Options{Repair: true, AllowInCode: accepted}) {
			switch {
			case s.Err == nil && s.Call == nil:
			case s.Err != nil && s.Err.Code == lexer.WrongOpener && (n == len(calls) || s.End <= calls[n].Start):
				n = len(calls) // prose is free, and what follows a near miss is not executed
				break segments
			case n == len(calls):
				t.Errorf("%q: %+v is read as well", text, s)
				return
			case s.Err != nil && !accepted && s.Err.Code == lexer.InCode && s.Start == calls[n].Start:
				n++
			case s.Call != nil && len(s.Call.Issues) > 0 && !slices.ContainsFunc(s.Call.Issues, aboutMore):
				n++ // a word that the writer quotes where repairs read it
			case s.Call == nil || len(s.Call.Issues) > 0 || s.Call.Name != calls[n].Call.Name ||
				string(s.Call.Input) != string(calls[n].Call.Input):
				t.Errorf("%q: with repairs %+v %v, without %+v", text, s.Call, s.Err, calls[n].Call)
				return
			default:
				n++
			}
		}
		if n != len(calls) {
			t.Errorf("%q: %d of %d calls are read with repairs", text, n, len(calls))
		}
	}
}

// aboutMore reports whether an issue is about something else than a bare word that may
// be meant otherwise.
func aboutMore(i parse.Issue) bool {
	return i.Code != lexer.Doubtful && (i.Code != lexer.Repaired || i.Path != "null" && i.Path != "commas")
}

// checkWriting fails if the grammar does not derive the calls as the writer writes
// them.
func checkWriting(t rapid.TB, g *Grammar, c *sig.Catalog, f reading, calls []parse.Segment) {
	t.Helper()
	for _, s := range calls {
		p, _ := c.Lookup([]byte(s.Call.Name)).Plan(sig.Auto)
		text, err := f.write(c, s.Call, p.JSON)
		if err != nil {
			t.Errorf("%s: %v", s.Call.Input, err)
		} else if !matchCall(g, text) {
			t.Errorf("%s is written as %q, which the grammar does not derive", s.Call.Input, text)
		}
	}
}

// checkShape fails for grammars with which engines would loop forever.
func checkShape(t testing.TB, g *Grammar) {
	t.Helper()
	if err := g.root.check(); err != nil {
		t.Error(err)
	}
}
