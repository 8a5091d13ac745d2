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

// entry returns the entry of an id. It has no kind if there is none.
func (d *document) entry(id string) (e Entry, err error) {
	code, isCode := find(lexer.Codes(), func(c lexer.CodeInfo) bool { return string(c.Code) == id })
	shown, isCase := d.exampleCase(id)
	switch {
	case isCode:
		e, err = d.codeEntry(code)
	case d.rule(id) != nil:
		e, err = d.ruleEntry(d.rule(id))
	case isCase:
		e.Kind, e.Rules = "case", shown.Rules
		rules := slices.DeleteFunc(slices.Clone(d.Rules),
			func(r *rule) bool { return !slices.Contains(shown.Rules, r.ID) })
		e.Text, err = d.write("entry of case",
			map[string]any{"Example": newExample(shown), "Rules": rules})
	case slices.Contains(decisionIDs(), id):
		_, text, _ := strings.Cut(decisions(), "\n**"+id+". ")
		text = decisionEnd.Split(text, 2)[0]
		e.Kind, e.Text = "decision", strings.Replace(text, "**", "", 1)
	case d.production(id) != nil:
		p := d.production(id)
		e.Kind, e.Rules = "production", p.rules
		e.Text, err = d.write("production", p)
	default:
		return Entry{}, nil
	}
	e.ID, e.Text = id, plainText(e.Text)
	return e, err
}

// exampleCount is how many examples an entry shows.
const exampleCount = 3

func (d *document) codeEntry(info lexer.CodeInfo) (e Entry, err error) {
	id := string(info.Code)
	var cases []corpus.Case
	for _, c := range d.Cases {
		if slices.ContainsFunc(usesOf(c), func(u use) bool { return u.code == id }) {
			cases = append(cases, c)
		}
	}
	slices.SortStableFunc(cases, func(a, b corpus.Case) int { return weight(a) - weight(b) })
	var examples []example
	for _, c := range cases[:min(len(cases), exampleCount)] {
		examples = append(examples, newExample(c))
	}
	e = Entry{Kind: "code", Rules: d.rulesOf(id), Cases: idsOf(cases)}
	e.Text, err = d.write("entry of code", map[string]any{"Code": info, "Examples": examples})
	return e, err
}

func (d *document) ruleEntry(r *rule) (e Entry, err error) {
	e = Entry{Kind: "rule", Cases: idsOf(r.cases)}
	for _, p := range d.parts() {
		if p.Rule == r {
			short := *p
			short.Examples = p.Examples[:min(len(p.Examples), exampleCount)]
			e.Text, err = d.write("rule", short)
		}
	}
	_, e.Text, _ = strings.Cut(e.Text, "`\n\n") // the heading
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
		r := c.Rules[0]
		has := slices.ContainsFunc(usesOf(c), func(u use) bool { return u.code == code })
		switch {
		case !has || slices.Contains(rules, r):
		case strings.HasSuffix(r, "."+code):
			rules = append([]string{r}, rules...)
		default:
			rules = append(rules, r)
		}
	}
	return rules
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
