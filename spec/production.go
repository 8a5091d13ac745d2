package spec

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2/ebnf"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/spec/railroad"
)

// A production is a production of the grammar with its doc comment.
type production struct {
	Name    string
	grammar string // framing, call or signature
	Text    string // in EBNF
	Doc     string // in Markdown, may be empty
	rules   []string
	ast     *ebnf.Expression
	Tokens  []grammar.TokenRule // that it shows: those that no production before it refers to
}

// Arguments returns the arguments of the directive ebnf for the grammar of the production.
func (p *production) Arguments() []string {
	if p.grammar == "signature" {
		return []string{"signatures"}
	}
	return nil
}

var (
	ebnfComment = regexp.MustCompile(`(?s)\(\*.*?\*\)`)
	goPointer   = regexp.MustCompile(`\*([A-Z])`)
)

// readProductions returns the productions of framing, of calls and of
// signatures, in their order.
func readProductions(
	calls, signatures string, docs map[string]declaration,
) ([]*production, error) {
	var all []*production
	for _, part := range []struct{ name, text string }{{"call", calls}, {"signature", signatures}} {
		for line := range strings.Lines(ebnfComment.ReplaceAllString(part.text, "")) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "<") {
				continue
			}
			parsed, err := ebnf.ParseString(line)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
			name := parsed.Productions[0].Production
			p := &production{
				Name: name, grammar: part.name, Text: line, ast: parsed.Productions[0].Expression,
			}
			switch d, declared := docs[name]; {
			case declared:
				p.Doc, p.rules = goPointer.ReplaceAllString(d.doc, "$1"), d.rules
			default:
				p.grammar = "framing"
			}
			all = append(all, p)
		}
	}
	return all, nil
}

// node returns the production as a diagram.
func (p *production) node() *railroad.Node {
	return drawing{calls: p.grammar != "signature"}.expression(p.ast)
}

// giveTokens assigns each token of calls, except the tags and whitespace, to the
// first production that refers to it.
func giveTokens(productions []*production, tokens []grammar.TokenRule) {
	given := map[string]bool{
		"open": true, "close": true, "space": true, "other": true, "unclosed": true,
	}
	for _, p := range productions {
		if p.grammar != "call" {
			continue
		}
		for _, name := range tokensOf(p.ast) {
			for _, t := range tokens {
				if strings.ToLower(t.Name) == name && !given[name] {
					given[name] = true
					p.Tokens = append(p.Tokens, t)
				}
			}
		}
	}
}

// tokensOf returns the names of the tokens in an expression.
func tokensOf(e *ebnf.Expression) (names []string) {
	for _, s := range e.Alternatives {
		for _, t := range s.Terms {
			if t.Group != nil {
				names = append(names, tokensOf(t.Group.Expr)...)
			} else if t.Token != "" {
				names = append(names, t.Token)
			}
		}
	}
	return names
}

// A drawing makes diagrams of productions.
type drawing struct {
	calls bool // not of signatures, whose tokens have no place of their own
}

func (d drawing) expression(e *ebnf.Expression) *railroad.Node {
	if len(e.Alternatives) == 1 {
		return d.sequence(e.Alternatives[0].Terms)
	}
	c := railroad.Of(railroad.Choice)
	for _, s := range e.Alternatives {
		c.Parts = append(c.Parts, d.sequence(s.Terms))
	}
	return c
}

// sequence draws X (sep X)* as a loop that comes back through sep.
func (d drawing) sequence(terms []*ebnf.Term) *railroad.Node {
	s := railroad.Of(railroad.Sequence)
	for i := 0; i < len(terms); i++ {
		if between := separator(terms[i:]); between != nil {
			once := railroad.Of(railroad.Loop, d.term(terms[i]))
			once.Between = d.term(between)
			s.Parts = append(s.Parts, once)
			i++
			continue
		}
		s.Parts = append(s.Parts, d.term(terms[i]))
	}
	if len(s.Parts) == 1 {
		return s.Parts[0]
	}
	return s
}

// separator returns sep if the terms begin with X (sep X)*.
func separator(terms []*ebnf.Term) *ebnf.Term {
	if len(terms) < 2 || terms[1].Group == nil || terms[1].Repetition != "*" {
		return nil
	}
	group := terms[1].Group.Expr
	if len(group.Alternatives) != 1 || len(group.Alternatives[0].Terms) != 2 {
		return nil
	}
	inner := group.Alternatives[0].Terms
	if inner[1].String() != terms[0].String() {
		return nil
	}
	return inner[0]
}

func (d drawing) term(t *ebnf.Term) *railroad.Node {
	var n *railroad.Node
	switch {
	case t.Group != nil && t.Group.Lookahead == ebnf.LookaheadAssertionPositive:
		follow := strings.Split(strings.ReplaceAll(t.Group.Expr.String(), `"`, ""), " | ")
		n = &railroad.Node{
			Kind: railroad.Word, Text: "then " + strings.Join(follow, " or "),
			Class: "p", Follow: follow,
		}
	case t.Group != nil:
		n = d.expression(t.Group.Expr)
	case t.Token != "":
		n = d.token(t.Token)
	case t.Literal != "":
		literal := strings.Trim(t.Literal, `"`)
		n = &railroad.Node{Kind: railroad.Word, Text: literal, Class: "t", Terminal: literal}
	default:
		n = &railroad.Node{
			Kind: railroad.Word, Text: t.Name, Class: "n",
			Link: "production." + t.Name, Production: t.Name,
		}
	}
	switch t.Repetition {
	case "?":
		return railroad.Of(railroad.Optional, n)
	case "*":
		return railroad.Of(railroad.Optional, railroad.Of(railroad.Loop, n))
	case "+":
		return railroad.Of(railroad.Loop, n)
	}
	return n
}

// token draws a token by its name, and a tag literally.
func (d drawing) token(name string) *railroad.Node {
	n := &railroad.Node{Kind: railroad.Word, Text: name, Class: "c", Terminal: name}
	if !d.calls {
		return n
	}
	n.Link = "token." + name
	switch name {
	case "open":
		n.Text, n.Class = grammar.DefaultDelims.Open, "t"
	case "close":
		n.Text, n.Class = grammar.DefaultDelims.Close, "t"
	}
	return n
}

// tokenText writes a token as in EBNF.
func tokenText(t grammar.TokenRule) string {
	return fmt.Sprintf("<%s> = /%s/ .", strings.ToLower(t.Name), t.Pattern)
}

// A Diagram is the railroad diagram of a production of calls, with its parts named,
// and the production as data.
type Diagram struct {
	Name string         `json:"name"`
	EBNF string         `json:"ebnf"`
	HTML string         `json:"html"` // SVG whose links are base and an anchor of the page
	Node *railroad.Node `json:"node"`
}

// Diagrams returns the diagrams of the productions of calls, in the order of the
// specification.
func Diagrams(base string) ([]Diagram, error) {
	d, err := theDocument()
	if err != nil {
		return nil, err
	}
	var all []Diagram
	for _, p := range d.productions {
		if p.grammar == "call" {
			n := p.node()
			n.Number()
			all = append(all,
				Diagram{p.Name, p.Text, railroad.Draw(n, "Railroad diagram: "+p.Text, base), n})
		}
	}
	return all, nil
}
