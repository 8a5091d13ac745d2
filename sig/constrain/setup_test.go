package constrain

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// catalogEnv names a folder of further catalogs, one JSON file each.
const catalogEnv = "CALLWIRE_TOOLS"

// catalogs returns the sample catalog, and those in the folder.
func catalogs(t testing.TB) map[string]*sig.Catalog {
	t.Helper()
	files := []string{filepath.Join("..", "..", "corpus", "samples", "tools.json")}
	if folder := os.Getenv(catalogEnv); folder != "" {
		more, err := filepath.Glob(filepath.Join(folder, "*.json"))
		if err != nil || len(more) == 0 {
			t.Fatalf("%s names a folder without catalogs: %v", catalogEnv, err)
		}
		files = append(files, more...)
	}
	all := make(map[string]*sig.Catalog)
	for _, file := range files {
		if filepath.Base(file) == "INDEX.json" {
			continue // lists the origin of the others
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = compile(t, text)
	}
	return all
}

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
func match(g *Grammar, text string) bool { return g.Rules().Match(nil, text) }

// matchCall reports whether the grammar derives one call with its tags.
func matchCall(g *Grammar, text string) bool {
	open, end := len(g.Tags().Open), len(text)-len(g.Tags().Close)
	if g.Rules().Call == nil || end < open || text[:open] != g.Tags().Open || text[end:] != g.Tags().Close {
		return false
	}
	return g.Rules().Match(g.Rules().Call, text[open:end])
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// reading is the reader and the writer of a protocol with these tags.
type reading struct {
	protocol parse.Protocol
	delims   lexer.Delims
}

// wire is the wire format with its own tags.
var wire = reading{delims: lexer.DefaultDelims}

// under returns the wire format with these tags.
func under(d lexer.Delims) reading { return reading{delims: d.OrDefault()} }

// checkReads fails if text, a sample, is malformed or has an issue. It returns the
// calls.
func checkReads(t rapid.TB, c *sig.Catalog, f reading, text string) (calls []parse.Segment) {
	t.Helper()
	for _, s := range (parse.Options{Protocol: f.protocol, Delims: f.delims, Strict: true}).Text(text, c) {
		switch {
		case s.Kind == parse.Malformed:
			t.Errorf("%q: %v", text, s.Err)
		case len(s.Issues) > 0 || s.AfterMalformed:
			t.Errorf("%q: %v", text, s.Issues)
		case s.Kind == parse.Call:
			calls = append(calls, s)
		}
	}
	return calls
}

// checkSalvage fails where a reader under Salvage finds other calls in text than the ones
// given, or repairs or doubts one. With Code, those in Markdown code are told as such.
func checkSalvage(t rapid.TB, c *sig.Catalog, f reading, text string, calls []parse.Segment) {
	t.Helper()
	for _, code := range []bool{false, true} {
		n := 0
	segments:
		for _, s := range (parse.Options{Protocol: f.protocol, Delims: f.delims, Salvage: true, Code: code, StopAfterMalformed: true}).Text(text, c) {
			switch {
			case s.Kind == parse.Prose:
			case s.Kind == parse.Malformed && s.Err.Code == lexer.WrongOpener && (n == len(calls) || s.End <= calls[n].Start):
				n = len(calls) // prose is free, and what follows a near miss is not executed
				break segments
			case n == len(calls):
				t.Errorf("%q: %+v is read as well", text, s)
				return
			case s.Kind == parse.Malformed && code && s.Err.Code == lexer.InCode && s.Start == calls[n].Start:
				n++
			case s.Kind == parse.Call && len(s.Issues) > 0 && !slices.ContainsFunc(s.Issues, aboutMore):
				n++ // a word that the writer quotes where Salvage reads it
			case s.Kind != parse.Call || len(s.Issues) > 0 || s.Name != calls[n].Name || string(s.Input) != string(calls[n].Input):
				t.Errorf("%q: under Salvage %+v, without %+v", text, s, calls[n])
				return
			default:
				n++
			}
		}
		if n != len(calls) {
			t.Errorf("%q: %d of %d calls are read under Salvage", text, n, len(calls))
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
		p, _ := sig.PlanOptions{}.Plan(c.Lookup([]byte(s.Name)))
		text, err := parse.FormatOptions{Protocol: f.protocol, Delims: f.delims, JSON: p.Syntax == sig.JSON}.Format(c, s.Name, s.Input)
		if err != nil {
			t.Errorf("%s: %v", s.Input, err)
		} else if !matchCall(g, text) {
			t.Errorf("%q is written as %q, which the grammar does not derive", s.Text, text)
		}
	}
}

// noted returns the notes, one per line.
func noted(g *Grammar) string {
	var b strings.Builder
	for _, n := range g.Notes() {
		b.WriteString(n.Tool + " " + n.Path + " " + n.Keyword + " " + n.Kind.String() + "\n")
	}
	return b.String()
}
