package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
)

// An Entry is the part of the specification about one id.
type Entry struct {
	ID    string   `json:"id"`
	Kind  string   `json:"kind"`            // code, rule, case, decision or production
	Text  string   `json:"text"`            // plain paragraphs, and blocks between lines of ```
	Rules []string `json:"rules,omitempty"` // that belong to it
	Cases []string `json:"cases,omitempty"` // that show it, the plainest first
}

// Explain returns what the specification contains about the code, rule, case,
// decision or production of that id, and false if there is none. The first call
// reads the whole specification.
func Explain(id string) (Entry, bool, error) {
	d, err := theDocument()
	if err != nil {
		return Entry{}, false, err
	}
	e, ok := d.entry(id)
	return e, ok, nil
}

func (d *document) entry(id string) (Entry, bool) {
	kinds := []func(string) (Entry, bool){
		d.codeEntry, d.ruleEntry, d.caseEntry, d.decisionEntry, d.productionEntry,
	}
	for _, of := range kinds {
		if e, ok := of(id); ok {
			e.ID, e.Text = id, plainText(e.Text)
			return e, true
		}
	}
	return Entry{}, false
}

// IDs returns the ids that Explain knows, kind by kind in the order of its
// documentation.
func IDs() []string {
	var ids []string
	for _, c := range lexer.Codes() {
		ids = append(ids, string(c.Code))
	}
	for _, r := range corpus.Rules() {
		ids = append(ids, r.ID)
	}
	for _, c := range append(corpus.Cases(), corpus.MoreCases()...) {
		ids = append(ids, c.ID)
	}
	return append(ids, decisionIDs()...)
}

func (d *document) codeEntry(id string) (e Entry, ok bool) {
	i := slices.IndexFunc(lexer.Codes(),
		func(c lexer.CodeInfo) bool { return string(c.Code) == id })
	if i < 0 {
		return e, false
	}
	c := lexer.Codes()[i]
	e.Kind = "code"
	w := &markdownWriter{d: d}
	fmt.Fprintf(w, "At %s: expected %s.\n\n%s.\n", c.At, c.Expected, capital(c.Fix))
	if met := d.uses()[id].kinds(); len(met) > 0 {
		fmt.Fprintf(w, "\nMet as: %s.\n", strings.Join(met, ", "))
	}
	var shown []corpus.Case
	for _, c := range d.cases {
		if has(c, id) {
			shown = append(shown, c)
		}
	}
	e.show(w, shown)
	e.Text, e.Rules = w.String(), d.rulesOf(id)
	return e, true
}

// rulesOf returns the main rules of the cases with the code, the one that is named
// after it first.
func (d *document) rulesOf(code string) (rules []string) {
	for _, c := range d.cases {
		if r := c.Rules[0]; has(c, code) && !slices.Contains(rules, r) {
			rules = append(rules, r)
		}
	}
	slices.SortStableFunc(rules, func(a, b string) int { return names(b, code) - names(a, code) })
	return rules
}

// names is 1 if the rule is named after the code, else 0.
func names(rule, code string) int {
	if strings.HasSuffix(rule, "."+code) {
		return 1
	}
	return 0
}

// has reports whether the code is in what a case wants.
func has(c corpus.Case, id string) bool {
	isIt := func(i corpus.Issue) bool { return i.Code == id }
	for _, e := range c.Want.Events {
		if e.Code == id || slices.ContainsFunc(e.Issues, isIt) {
			return true
		}
	}
	return c.Want.Error != nil && c.Want.Error.Code == id
}

// exampleCount is how many examples an entry shows.
const exampleCount = 3

// show shows the plainest of the cases, and names all of them.
func (e *Entry) show(w *markdownWriter, cases []corpus.Case) {
	slices.SortStableFunc(cases, func(a, b corpus.Case) int { return weight(a) - weight(b) })
	for i, c := range cases {
		e.Cases = append(e.Cases, c.ID)
		if i < exampleCount {
			w.example(newExample(c))
		}
	}
}

// weight is how much there is to read in a case; those of core are lighter.
func weight(c corpus.Case) int {
	n := len(c.Text) + len(c.Input) + len(c.Tools)
	if c.Level != corpus.Core || c.Options != (corpus.Options{}) {
		n += 1000
	}
	if c.Topic() == tablesTopic {
		n += 10_000
	}
	return n
}

func (d *document) ruleEntry(id string) (e Entry, ok bool) {
	r := d.rule(id)
	if r == nil {
		return e, false
	}
	e.Kind = "rule"
	w := &markdownWriter{d: d}
	short := *r
	short.examples = r.examples[:min(len(r.examples), exampleCount)]
	for _, c := range d.chapters {
		for _, p := range c.parts {
			if p.rule == r {
				p.rule = &short
				w.rule(p)
			}
		}
	}
	for _, c := range r.cases {
		e.Cases = append(e.Cases, c.ID)
	}
	e.Text = w.String()
	_, e.Text, _ = strings.Cut(e.Text, "`\n\n") // the heading
	return e, true
}

func (d *document) caseEntry(id string) (e Entry, ok bool) {
	i := slices.IndexFunc(d.cases, func(c corpus.Case) bool { return c.ID == id })
	if i < 0 {
		return e, false
	}
	c := d.cases[i]
	w := &markdownWriter{d: d}
	w.example(newExample(c))
	fmt.Fprintf(w, "\nLevel: %s.\n", c.Level)
	for _, r := range d.rules {
		if slices.Contains(c.Rules, r.ID) {
			fmt.Fprintf(w, "\n`%s`: %s\n", r.ID, literally(r.Text))
		}
	}
	return Entry{Kind: "case", Text: w.String(), Rules: c.Rules}, true
}

func (d *document) decisionEntry(id string) (e Entry, ok bool) {
	_, text, ok := strings.Cut(decisions(), "\n**"+id+". ")
	if !ok {
		return e, false
	}
	end := len(text)
	for _, stop := range []string{"\n**D", "\n**S", "\n## "} {
		if i := strings.Index(text, stop); i >= 0 {
			end = min(end, i)
		}
	}
	return Entry{Kind: "decision", Text: strings.Replace(text[:end], "**", "", 1)}, true
}

func (d *document) productionEntry(id string) (e Entry, ok bool) {
	p := d.production(id)
	if p == nil {
		return e, false
	}
	w := &markdownWriter{d: d}
	w.productions([]*production{p})
	return Entry{Kind: "production", Text: w.String(), Rules: p.rules}, true
}

// markdownMark matches the markup that our Markdown uses: spans of code, escapes,
// links, emphasis, anchors and quotations.
var markdownMark = regexp.MustCompile("`` (.+?) ``|`([^`]+)`|\\\\([^a-zA-Z0-9\\s])|" +
	`\]\([^)]*\)|\[|\*+|<a id="[^"]*"></a>|(?m:^> )`)

// plainText returns our Markdown without its markup; blocks of code stay.
func plainText(text string) string {
	blocks := strings.Split(text, "```")
	for i := 0; i < len(blocks); i += 2 {
		blocks[i] = markdownMark.ReplaceAllString(blocks[i], "$1$2$3")
	}
	return strings.TrimSpace(blankLines.ReplaceAllString(strings.Join(blocks, "```"), "\n\n"))
}

// capital returns a sentence with a capital letter.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
