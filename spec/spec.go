package spec

import (
	"embed"
	"fmt"
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

func grammarText(d *document) ([]byte, error) {
	return []byte(strings.TrimSpace(d.ebnf(nil)) + "\n"), nil
}

var files = sync.OnceValues(func() ([]File, error) {
	d, err := theDocument()
	if err != nil {
		return nil, err
	}
	var all []File
	for _, f := range []struct {
		name  string
		write func(d *document) ([]byte, error)
	}{
		{MarkdownFile, markdown}, {PromptsFile, promptsMarkdown}, {HTMLFile, page},
		{StatesFile, statesData}, {ClassesFile, classesData}, {CodesFile, codesData},
		{RulesFile, rulesData}, {GrammarFile, grammarText},
	} {
		text, err := f.write(d)
		if err != nil {
			return nil, err
		}
		all = append(all, File{f.name, text})
	}
	return all, nil
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
	anchors     map[string]anchor // by what [[…]] may hold
	named       map[string]bool   // the rules that a chapter names
}

// An anchor is a place in the document.
type anchor struct {
	ID    string
	Label string
	code  bool // the label is code
}

// A rule is one of the corpus, with what belongs to it.
type rule struct {
	corpus.Rule
	Level       string
	cases       []corpus.Case
	productions []*production // that state it
	Shows       []*production // those of them that are shown here
	Examples    []example
}

// Elsewhere returns references to the productions of the rule that appear with another rule.
func (r *rule) Elsewhere() string {
	var references []string
	for _, p := range r.productions {
		if !slices.Contains(r.Shows, p) {
			references = append(references, "[["+p.Name+"]]")
		}
	}
	return strings.Join(references, ", ")
}

// showable returns the cases that may be examples of the rule. It leaves out tables of
// bytes, and prefers cases of core for a rule of core.
func (r *rule) showable() (cases []corpus.Case) {
	for _, c := range r.cases {
		if c.Topic() != tablesTopic && (c.Level == corpus.Core || r.Level != corpus.Core) {
			cases = append(cases, c)
		}
	}
	return cases
}

// tablesTopic has cases that are tables: a text for each class of bytes.
const tablesTopic = "bytes"

// theDocument builds the document on first use.
var theDocument = sync.OnceValues(func() (*document, error) {
	declarations, err := readDeclarations(grammar.Source())
	if err != nil {
		return nil, err
	}
	d := &document{
		Cases:   slices.Concat(corpus.Cases(), corpus.MoreCases(), corpus.ProtocolCases()),
		anchors: map[string]anchor{}, named: map[string]bool{},
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
	giveTokens(d.productions, d.grammar.Tokens())
	d.readRules()
	d.anchor()
	d.Chapters, err = readChapters(texts)
	if err != nil {
		return nil, err
	}
	return d, d.arrange()
})

// readRules joins the rules of the corpus with the cases and the productions.
func (d *document) readRules() {
	for _, r := range corpus.Rules() {
		all := &rule{Rule: r, Level: corpus.Extended}
		mine := 0
		for _, c := range d.Cases {
			if slices.Contains(c.Rules, r.ID) {
				all.cases = append(all.cases, c)
				if c.Rules[0] == r.ID {
					mine++
				}
			}
		}
		for _, c := range all.cases {
			if c.Level == corpus.Core && (mine == 0 || c.Rules[0] == r.ID) {
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

// anchor makes what does not depend on the chapters a target of references.
func (d *document) anchor() {
	for _, r := range d.Rules {
		d.anchors[r.ID] = anchor{r.ID, r.ID, true}
	}
	for _, c := range lexer.Codes() {
		code := string(c.Code)
		d.anchors[code] = anchor{"code." + code, code, true}
	}
	for _, p := range d.productions {
		d.anchors[p.Name] = anchor{"production." + p.Name, p.Name, true}
	}
	for _, id := range decisionIDs() {
		d.anchors[id] = anchor{id, id, false}
	}
	for _, t := range d.grammar.Tokens() {
		name := strings.ToLower(t.Name)
		d.anchors["token."+name] = anchor{"token." + name, name, true}
	}
}

// arrange gives rules and productions their places in the chapters.
func (d *document) arrange() error {
	if err := d.parseTemplates(); err != nil {
		return err
	}
	placed, shown := map[string]bool{}, map[string]bool{}
	for _, c := range d.Chapters {
		for _, m := range directiveRule.FindAllStringSubmatch(c.source, -1) {
			d.named[m[1]] = true
		}
	}
	for _, c := range d.Chapters {
		if err := d.fill(c, placed); err != nil {
			return fmt.Errorf("%s: %w", c.file, err)
		}
	}
	for _, r := range d.Rules {
		if !placed[r.ID] {
			return fmt.Errorf("no chapter names the rule %s", r.ID)
		}
	}
	for _, c := range d.Chapters {
		for _, p := range c.Parts {
			if p.Rule != nil {
				for _, production := range p.Rule.productions {
					if !shown[production.Name] {
						shown[production.Name] = true
						p.Rule.Shows = append(p.Rule.Shows, production)
					}
				}
			}
			for _, production := range p.Productions {
				if shown[production.Name] {
					return fmt.Errorf("%s: the production %s belongs to a rule or is shown twice",
						c.file, production.Name)
				}
				shown[production.Name] = true
			}
		}
	}
	for _, p := range d.productions {
		if !shown[p.Name] {
			return fmt.Errorf("no chapter shows the production %s", p.Name)
		}
	}
	d.choose()
	return d.checkReferences()
}

// choose gives each rule its examples: those that its directive names, or others.
func (d *document) choose() {
	shown, seen := map[string]int{}, map[string]bool{}
	for _, c := range d.Chapters {
		for _, p := range c.Parts {
			for _, e := range p.Examples {
				shown[e.ID]++
			}
		}
	}
	for _, c := range d.Chapters {
		for _, p := range c.Parts {
			if p.Rule == nil {
				continue
			}
			p.Rule.Examples = p.Examples
			if len(p.Examples) == 0 {
				p.Rule.Examples = examplesOf(p.Rule.ID, p.Rule.showable(), shown)
			}
			for i := range p.Rule.Examples {
				e := &p.Rule.Examples[i]
				e.First, seen[e.ID] = !seen[e.ID], true
			}
		}
	}
}

func (d *document) rule(id string) *rule {
	for _, r := range d.Rules {
		if r.ID == id {
			return r
		}
	}
	return nil
}

func (d *document) production(name string) *production {
	for _, p := range d.productions {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// ebnf returns a grammar as a whole: that of calls, of signatures, or of the calls of
// another protocol.
func (d *document) ebnf(arguments []string) string {
	if len(arguments) > 0 {
		if p := grammar.ByName(arguments[0]); p != nil {
			return p.EBNF()
		}
	}
	if len(arguments) > 0 && arguments[0] == "signatures" {
		return grammar.SignatureEBNF()
	}
	return d.grammar.EBNF()
}
