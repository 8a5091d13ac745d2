package spec

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/callwire/callwire/corpus"
)

// Version is the version of the wire format that is specified.
const Version = corpus.Version

// The names of the files that go generate writes.
const (
	MarkdownFile = "SPEC.md"    // what calls are: reading, writing, streaming
	PromptsFile  = "PROMPTS.md" // the prompts for models, and the reasons for the design
	HTMLFile     = "index.html" // both, with diagrams
	StatesFile   = "states.json"
	ClassesFile  = "classes.json"
	CodesFile    = "codes.json"
	RulesFile    = "rules.json"
	GrammarFile  = "grammar.ebnf" // of calls
)

// A File is one of them.
type File struct {
	Name string
	Text []byte
}

// Files returns all files of the specification. The texts are shared; the caller must
// not change them.
func Files() []File { return slices.Clone(files()) }

var files = sync.OnceValue(func() []File {
	d := theDocument()
	calls, prompts := d.markdowns()
	return []File{
		{MarkdownFile, calls}, {PromptsFile, prompts}, {HTMLFile, []byte(d.write("page", d))},
		{StatesFile, d.statesData()}, {ClassesFile, d.classesData()}, {CodesFile, d.codesData()},
		{RulesFile, d.rulesData()},
		{GrammarFile, []byte(strings.TrimSpace(d.grammar.EBNF()) + "\n")},
	}
})

//go:embed chapters/*.md decisions.md
var texts embed.FS

// theDocument reads the document on first use.
var theDocument = sync.OnceValue(func() *document {
	d := newDocument()
	d.readChapters(texts)
	return d
})

// must returns v. What the specification is made of is embedded, so an error is a mistake in
// its sources, which generation and the tests find.
func must[T any](v T, err error) T {
	if err != nil {
		fail("%v", err)
	}
	return v
}

// fail reports a mistake in the sources.
func fail(format string, args ...any) { panic("spec: " + fmt.Sprintf(format, args...)) }
