package spec

import (
	"slices"
	"strings"
	"text/template"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
)

// A document is the specification before it has a form.
type document struct {
	Chapters    []*chapter
	Rules       []*rule
	Cases       []corpus.Case
	Codes       []*codeUse
	productions []*production
	grammar     *grammar.Grammar
	templates   *template.Template
	numbered    int               // rules that have a number
	shown       map[string]bool   // the tokens that productions show
	seen        map[string]bool   // the examples so far
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
	part        *part         // where it is in the chapters
	Number      int           // in the order of the chapters
}

// A codeUse is a code with the cases that have it.
type codeUse struct {
	lexer.CodeInfo
	uses  map[string]bool // malformed, strict, issue or refusal
	cases []corpus.Case
	Rules []string // the main rules of the cases, the one that is named after the code first
}

// tablesTopic has cases that are tables: a text for each class of bytes.
const tablesTopic = "bytes"

func allCases() []corpus.Case {
	return slices.Concat(corpus.Cases(), corpus.MoreCases(), corpus.ProtocolCases())
}

// newDocument returns a document without chapters.
func newDocument() *document {
	d := &document{
		Cases: allCases(), links: map[string]string{}, seen: map[string]bool{},
		grammar: must(grammar.New(grammar.DefaultDelims)),
	}
	d.productions = readProductions(
		d.grammar.EBNF(), grammar.SignatureEBNF(), readDeclarations(grammar.Source()))
	d.shown = giveTokens(d.productions, d.grammar.Tokens())
	for _, r := range corpus.Rules() {
		d.Rules = append(d.Rules, d.newRule(r))
		d.target(r.ID, r.ID, code(r.ID))
	}
	for _, c := range lexer.Codes() {
		d.Codes = append(d.Codes, d.newCodeUse(c))
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
	d.parseTemplates()
	return d
}

// newRule joins a rule of the corpus with the cases and the productions. It is of core if a
// case that has it first is, or, where it is first in none, any case.
func (d *document) newRule(r corpus.Rule) *rule {
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
	return all
}

// newCodeUse joins a code with the cases that have it.
func (d *document) newCodeUse(info lexer.CodeInfo) *codeUse {
	all := &codeUse{CodeInfo: info, uses: map[string]bool{}}
	for _, c := range d.Cases {
		uses := usesOf(c, string(info.Code))
		if len(uses) == 0 {
			continue
		}
		for _, use := range uses {
			all.uses[use] = true
		}
		all.cases = append(all.cases, c)
		switch r := c.Rules[0]; {
		case slices.Contains(all.Rules, r):
		case strings.HasSuffix(r, "."+string(info.Code)):
			all.Rules = append([]string{r}, all.Rules...)
		default:
			all.Rules = append(all.Rules, r)
		}
	}
	return all
}

// usesOf returns how a case uses a code.
func usesOf(c corpus.Case, code string) (uses []string) {
	for _, e := range c.Want.Events {
		switch {
		case e.Code == code && c.Options.Strict:
			uses = append(uses, "strict")
		case e.Code == code:
			uses = append(uses, "malformed")
		}
		if slices.ContainsFunc(e.Issues, func(i corpus.Issue) bool { return i.Code == code }) {
			uses = append(uses, "issue")
		}
	}
	if c.Want.Error != nil && c.Want.Error.Code == code {
		uses = append(uses, "refusal")
	}
	return uses
}

// Kinds returns the uses that the table of codes has.
func (c *codeUse) Kinds() []string {
	return slices.DeleteFunc([]string{"malformed", "issue", "refusal"},
		func(use string) bool { return !c.uses[use] })
}

// target makes an anchor of the document a target of references.
func (d *document) target(name, anchor, label string) {
	d.links[name] = "[" + label + "](#" + anchor + ")"
}

// find returns the first element that is what is looked for, or a zero one.
func find[T any](all []T, is func(T) bool) (found T) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return found
}

func (d *document) rule(id string) *rule {
	return find(d.Rules, func(r *rule) bool { return r.ID == id })
}

func (d *document) production(name string) *production {
	return find(d.productions, func(p *production) bool { return p.Name == name })
}

func (d *document) exampleCase(id string) corpus.Case {
	return find(d.Cases, func(c corpus.Case) bool { return c.ID == id })
}
