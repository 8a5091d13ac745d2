package spec

import (
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
	e, err := d.entry(id)
	return e, e.Kind != "", err
}

// entry returns the entry of an id. It has no kind if there is none.
func (d *document) entry(id string) (Entry, error) {
	for _, of := range []func(string) (Entry, error){
		d.codeEntry, d.ruleEntry, d.caseEntry, d.decisionEntry, d.productionEntry,
	} {
		if e, err := of(id); err != nil || e.Kind != "" {
			e.ID, e.Text = id, plainText(e.Text)
			return e, err
		}
	}
	return Entry{}, nil
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

func (d *document) codeEntry(id string) (e Entry, err error) {
	i := slices.IndexFunc(lexer.Codes(),
		func(c lexer.CodeInfo) bool { return string(c.Code) == id })
	if i < 0 {
		return e, nil
	}
	var shown []corpus.Case
	for _, c := range d.Cases {
		if has(c, id) {
			shown = append(shown, c)
		}
	}
	slices.SortStableFunc(shown, func(a, b corpus.Case) int { return weight(a) - weight(b) })
	e = Entry{Kind: "code", Rules: d.rulesOf(id), Cases: idsOf(shown)}
	var examples []example
	for _, c := range shown[:min(len(shown), exampleCount)] {
		examples = append(examples, newExample(c))
	}
	e.Text, err = d.write("entry of code", map[string]any{
		"Code": lexer.Codes()[i], "Met": d.uses()[id].kinds(), "Examples": examples,
	})
	return e, err
}

func idsOf(cases []corpus.Case) (ids []string) {
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return ids
}

// rulesOf returns the main rules of the cases with the code, the one that is named
// after it first.
func (d *document) rulesOf(code string) (rules []string) {
	for _, c := range d.Cases {
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

func (d *document) ruleEntry(id string) (e Entry, err error) {
	r := d.rule(id)
	if r == nil {
		return e, nil
	}
	e = Entry{Kind: "rule", Cases: idsOf(r.cases)}
	short := *r
	short.Examples = r.Examples[:min(len(r.Examples), exampleCount)]
	for _, c := range d.Chapters {
		for _, p := range c.Parts {
			if p.Rule == r && err == nil {
				p.Rule = &short
				e.Text, err = d.write("rule", p)
			}
		}
	}
	_, e.Text, _ = strings.Cut(e.Text, "`\n\n") // the heading
	return e, err
}

func (d *document) caseEntry(id string) (e Entry, err error) {
	i := slices.IndexFunc(d.Cases, func(c corpus.Case) bool { return c.ID == id })
	if i < 0 {
		return e, nil
	}
	var rules []*rule
	for _, r := range d.Rules {
		if slices.Contains(d.Cases[i].Rules, r.ID) {
			rules = append(rules, r)
		}
	}
	e = Entry{Kind: "case", Rules: d.Cases[i].Rules}
	e.Text, err = d.write("entry of case",
		map[string]any{"Example": newExample(d.Cases[i]), "Rules": rules})
	return e, err
}

func (d *document) decisionEntry(id string) (e Entry, err error) {
	_, text, ok := strings.Cut(decisions(), "\n**"+id+". ")
	if !ok {
		return e, nil
	}
	end := len(text)
	for _, stop := range []string{"\n**D", "\n**S", "\n## "} {
		if i := strings.Index(text, stop); i >= 0 {
			end = min(end, i)
		}
	}
	return Entry{Kind: "decision", Text: strings.Replace(text[:end], "**", "", 1)}, nil
}

func (d *document) productionEntry(id string) (e Entry, err error) {
	p := d.production(id)
	if p == nil {
		return e, nil
	}
	e = Entry{Kind: "production", Rules: p.rules}
	e.Text, err = d.write("production", p)
	return e, err
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
