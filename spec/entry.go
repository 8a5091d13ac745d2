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
func Explain(id string) (Entry, bool) {
	e := theDocument().entry(id)
	return e, e.Kind != ""
}

// IDs returns the ids that Explain knows, except productions, kind by kind.
func IDs() []string {
	var ids []string
	for _, c := range lexer.Codes() {
		ids = append(ids, string(c.Code))
	}
	for _, r := range corpus.Rules() {
		ids = append(ids, r.ID)
	}
	ids = append(ids, decisionIDs()...)
	return append(ids, idsOf(allCases())...)
}

// exampleCount is how many examples an entry shows.
const exampleCount = 3

// entry returns the entry of an id. It has no kind if there is none.
func (d *document) entry(id string) (e Entry) {
	info := find(d.Codes, func(c *codeUse) bool { return string(c.Code) == id })
	r, p, shown := d.rule(id), d.production(id), d.exampleCase(id)
	switch {
	case info != nil:
		cases := slices.SortedStableFunc(slices.Values(info.cases),
			func(a, b corpus.Case) int { return weight(a) - weight(b) })
		e = Entry{Kind: "code", Rules: info.Rules, Cases: idsOf(cases)}
		var examples []example
		for _, c := range cases[:min(len(cases), exampleCount)] {
			examples = append(examples, newExample(c))
		}
		e.Text = d.write("entry of code", map[string]any{"Code": info, "Examples": examples})
	case r != nil:
		e = Entry{Kind: "rule", Cases: idsOf(r.cases)}
		short := *r.part
		short.Examples = short.Examples[:min(len(short.Examples), exampleCount)]
		e.Text = d.write("rule", short)
		_, e.Text, _ = strings.Cut(e.Text, "`\n\n") // the heading
	case shown.ID != "":
		e = Entry{Kind: "case", Rules: shown.Rules}
		rules := slices.Clone(d.Rules)
		rules = slices.DeleteFunc(rules,
			func(r *rule) bool { return !slices.Contains(shown.Rules, r.ID) })
		e.Text = d.write("entry of case",
			map[string]any{"Example": newExample(shown), "Rules": rules})
	case p != nil:
		e = Entry{Kind: "production", Rules: p.rules, Text: d.write("production", p)}
	case slices.Contains(decisionIDs(), id):
		_, text, _ := strings.Cut(decisions(), "\n**"+id+". ")
		text = decisionEnd.Split(text, 2)[0]
		e = Entry{Kind: "decision", Text: strings.Replace(text, "**", "", 1)}
	}
	e.ID, e.Text = id, plainText(e.Text)
	return e
}

func idsOf(cases []corpus.Case) (ids []string) {
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return ids
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

// markdownMark matches the markup that our Markdown uses: spans of code, escapes,
// links, emphasis, anchors and quotations.
var markdownMark = regexp.MustCompile("`` (.+?) ``|`([^`]+)`|\\\\([^a-zA-Z0-9\\s])|" +
	`\]\([^)]*\)|\[|\*+|<a id="[^"]*"></a>|(?m:^> )`)

// fence matches a line that begins or ends a block of code, and no text of an example.
var fence = regexp.MustCompile("(?m)^```[a-z]*$")

// plainText returns our Markdown without its markup; blocks of code stay.
func plainText(text string) string {
	plain, at := "", 0
	for i, m := range append(fence.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		block := text[at:m[0]]
		if i%2 == 0 {
			block = markdownMark.ReplaceAllString(block, "$1$2$3")
		}
		plain, at = plain+block+text[m[0]:m[1]], m[1]
	}
	return strings.TrimSpace(blankLines.ReplaceAllString(plain, "\n\n"))
}

// The beginning of a decision in decisions.md, and what follows one.
var (
	decision    = regexp.MustCompile(`(?m)^\*\*([DS][0-9]+)\.`)
	decisionEnd = regexp.MustCompile(`\n(\*\*[DS]|## )`)
)

// decisions returns decisions.md without its title.
func decisions() string {
	_, text, _ := strings.Cut(string(must(texts.ReadFile("decisions.md"))), "\n")
	return text
}

// decisionIDs returns the ids of the decisions.
func decisionIDs() (ids []string) {
	for _, m := range decision.FindAllStringSubmatch(decisions(), -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// appendix returns the decisions as the text of a chapter, each with an anchor.
func appendix() string {
	text := decision.ReplaceAllString(decisions(), `<a id="$1"></a>**$1.`)
	return strings.ReplaceAll(text, "\n## ", "\n### ")
}
