package spec

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/ebnf"

	"github.com/callwire/callwire/grammar"
)

// A production is a production of the grammar with its doc comment.
type production struct {
	Name    string
	Grammar string // framing, calls or signatures
	Text    string // in EBNF
	Doc     string // in Markdown, may be empty
	rules   []string
	ast     *ebnf.Expression
	Tokens  []grammar.TokenRule // that it shows: those that no production before it refers to
	places  int                 // in the chapters
}

// Diagram draws the production.
func (p *production) Diagram() string {
	return drawing{calls: p.Grammar != "signatures"}.expression(p.ast)
}

var (
	ebnfComment = regexp.MustCompile(`(?s)\(\*.*?\*\)`)
	ebnfToken   = regexp.MustCompile(`<([a-z]+)>`)
)

// readProductions returns the productions of framing, of calls and of
// signatures, in their order.
func readProductions(calls, signatures string, docs map[string]declaration) (all []*production) {
	for _, part := range []struct{ name, text string }{
		{"calls", calls}, {"signatures", signatures},
	} {
		for line := range strings.Lines(ebnfComment.ReplaceAllString(part.text, "")) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "<") {
				continue
			}
			parsed := must(ebnf.ParseString(line)).Productions[0]
			p := &production{
				Name: parsed.Production, Grammar: part.name, Text: line, ast: parsed.Expression,
			}
			d, isDeclared := docs[p.Name]
			if !isDeclared {
				p.Grammar = "framing"
			}
			p.Doc, p.rules = d.doc, d.rules
			all = append(all, p)
		}
	}
	return all
}

// giveTokens assigns each token of calls, except the tags and whitespace, to the
// first production that refers to it. It returns the names of these tokens.
func giveTokens(productions []*production, tokens []grammar.TokenRule) map[string]bool {
	given := map[string]bool{}
	for _, p := range productions {
		if p.Grammar != "calls" {
			continue
		}
		for _, m := range ebnfToken.FindAllStringSubmatch(p.Text, -1) {
			for _, t := range tokens {
				isOwn := strings.ToLower(t.Name) == m[1] && !given[t.Name]
				if isOwn && !slices.Contains([]string{"Open", "Close", "Space"}, t.Name) {
					given[t.Name] = true
					p.Tokens = append(p.Tokens, t)
				}
			}
		}
	}
	return given
}

// tokenText writes a token as in EBNF.
func tokenText(t grammar.TokenRule) string {
	return fmt.Sprintf("<%s> = /%s/ .", strings.ToLower(t.Name), t.Pattern)
}

// A declaration is a type of package grammar. Its comment describes a production and names the
// rules that it states.
type declaration struct {
	doc   string // without the rules
	rules []string
}

// documented matches a type of Go with its doc comment.
var documented = regexp.MustCompile(`(?m)((?:^//.*\n)+)type (\w+) `)

// readDeclarations returns the types in the Go files by their names.
func readDeclarations(source fs.FS) map[string]declaration {
	all := map[string]declaration{}
	for _, name := range must(fs.Glob(source, "*.go")) {
		text := string(must(fs.ReadFile(source, name)))
		for _, m := range documented.FindAllStringSubmatch(text, -1) {
			lines := strings.ReplaceAll("\n"+m[1], "\n//", "\n")
			doc, rules := splitRules(strings.ReplaceAll(lines, "\n ", "\n"))
			all[m[2]] = declaration{doc, rules}
		}
	}
	return all
}

// splitRules takes the paragraph "Rule: a.b, c.d" from the end of a comment.
func splitRules(comment string) (doc string, rules []string) {
	doc, list, _ := strings.Cut(comment, "Rule: ")
	return strings.TrimSpace(doc), strings.FieldsFunc(list, func(r rune) bool {
		return r == ',' || r == ' ' || r == '\n'
	})
}
