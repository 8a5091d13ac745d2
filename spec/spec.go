package spec

import (
	"embed"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
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
func Files() ([]File, error) {
	all, err := files()
	return slices.Clone(all), err
}

var files = sync.OnceValues(func() ([]File, error) {
	d, err := theDocument()
	if err != nil {
		return nil, err
	}
	calls, prompts, err := d.markdowns()
	page, pageErr := d.write("page", d)
	return []File{
		{MarkdownFile, calls}, {PromptsFile, prompts}, {HTMLFile, []byte(page)},
		{StatesFile, statesData()}, {ClassesFile, d.classesData()}, {CodesFile, d.codesData()},
		{RulesFile, d.rulesData()},
		{GrammarFile, []byte(strings.TrimSpace(d.grammar.EBNF()) + "\n")},
	}, errors.Join(err, pageErr)
})

//go:embed chapters/*.md decisions.md
var texts embed.FS

// A document is the specification before it has a form.
type document struct {
	Chapters    []*chapter
	Rules       []*rule
	Cases       []corpus.Case
	productions []*production
	grammar     *grammar.Grammar
	templates   *template.Template
	shown       map[string]bool   // the tokens that productions show
	links       map[string]string // in Markdown, by what [[…]] may hold
}

// A rule is one of the corpus, with what belongs to it.
type rule struct {
	corpus.Rule
	Level       string
	cases       []corpus.Case
	productions []*production // that state it
	Shows       []*production // those of them that are shown here
	Elsewhere   []string      // references to the others
}

// tablesTopic has cases that are tables: a text for each class of bytes.
const tablesTopic = "bytes"

func allCases() []corpus.Case {
	return slices.Concat(corpus.Cases(), corpus.MoreCases(), corpus.ProtocolCases())
}

// theDocument builds the document on first use.
var theDocument = sync.OnceValues(func() (*document, error) {
	d := &document{
		Cases: allCases(), links: map[string]string{},
	}
	declarations, err := readDeclarations(grammar.Source())
	if err != nil {
		return nil, err
	}
	d.grammar, err = grammar.New(grammar.DefaultDelims)
	if err != nil {
		return nil, err
	}
	calls, signatures := d.grammar.EBNF(), grammar.SignatureEBNF()
	d.productions, err = readProductions(calls, signatures, declarations)
	if err != nil {
		return nil, err
	}
	d.shown = giveTokens(d.productions, d.grammar.Tokens())
	d.readRules()
	d.makeTargets()
	d.Chapters, err = readChapters(texts)
	if err != nil {
		return nil, err
	}
	return d, d.arrange()
})

// readRules joins the rules of the corpus with the cases and the productions. A rule is of
// core if a case that has it first is, or, where it is first in none, any case.
func (d *document) readRules() {
	for _, r := range corpus.Rules() {
		all := &rule{Rule: r, Level: corpus.Extended}
		isFirst := func(c corpus.Case) bool { return c.Rules[0] == r.ID }
		for _, c := range d.Cases {
			if slices.Contains(c.Rules, r.ID) {
				all.cases = append(all.cases, c)
			}
		}
		hasOwn := slices.ContainsFunc(all.cases, isFirst)
		for _, c := range all.cases {
			if c.Level == corpus.Core && (isFirst(c) || !hasOwn) {
				all.Level = corpus.Core
			}
		}
		for _, p := range d.productions {
			if slices.Contains(p.rules, r.ID) {
				all.productions = append(all.productions, p)
			}
		}
		d.Rules = append(d.Rules, all)
	}
}

// makeTargets makes everything that does not depend on the chapters a target of references.
func (d *document) makeTargets() {
	for _, r := range d.Rules {
		d.target(r.ID, r.ID, code(r.ID))
	}
	for _, c := range lexer.Codes() {
		d.target(string(c.Code), "code."+string(c.Code), code(c.Code))
	}
	for _, p := range d.productions {
		d.target(p.Name, "production."+p.Name, code(p.Name))
	}
	for _, id := range decisionIDs() {
		d.target(id, id, id)
	}
	for _, t := range d.grammar.Tokens() {
		id := "token." + strings.ToLower(t.Name)
		d.target(id, id, code(strings.ToLower(t.Name)))
	}
}

// target makes an anchor of the document a target of references.
func (d *document) target(name, anchor, label string) {
	d.links[name] = "[" + label + "](#" + anchor + ")"
}

// parts yields the parts of all chapters.
func (d *document) parts() iter.Seq2[*chapter, *part] {
	return func(yield func(*chapter, *part) bool) {
		for _, c := range d.Chapters {
			for _, p := range c.Parts {
				if !yield(c, p) {
					return
				}
			}
		}
	}
}

// find returns the first element that is what is looked for, or a zero one.
func find[T any](all []T, is func(T) bool) (found T, ok bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return found, false
}

func (d *document) rule(id string) *rule {
	r, _ := find(d.Rules, func(r *rule) bool { return r.ID == id })
	return r
}

func (d *document) production(name string) *production {
	p, _ := find(d.productions, func(p *production) bool { return p.Name == name })
	return p
}

func (d *document) exampleCase(id string) (corpus.Case, bool) {
	return find(d.Cases, func(c corpus.Case) bool { return c.ID == id })
}
