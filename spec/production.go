package spec

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2/ebnf"

	"github.com/callwire/callwire/grammar"
)

// A production is one of the grammar, with what its doc comment says.
type production struct {
	name    string
	grammar string // framing, call or signature
	text    string // in EBNF
	doc     string // in Markdown, may be empty
	rules   []string
	ast     *ebnf.Expression
	tokens  []grammar.TokenRule // that it shows: those that no production before it refers to
}

// anchor returns the id by which the production is referred to.
func (p *production) anchor() string { return "production." + p.name }

var (
	ebnfComment = regexp.MustCompile(`(?s)\(\*.*?\*\)`)
	goPointer   = regexp.MustCompile(`\*([A-Z])`)
)

// readProductions returns the productions of framing, of calls and of
// signatures, in their order.
func readProductions(calls, signatures string, declarations []declaration) ([]*production, error) {
	docs := map[string]declaration{}
	for _, d := range declarations {
		if d.isType {
			docs[d.name] = d
		}
	}
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
			p := &production{name: name, grammar: part.name, text: line, ast: parsed.Productions[0].Expression}
			switch d, declared := docs[name]; {
			case declared:
				p.doc, p.rules = goPointer.ReplaceAllString(d.doc, "$1"), d.rules
			default:
				p.grammar = "framing"
			}
			all = append(all, p)
		}
	}
	return all, nil
}

// node returns the production as a diagram.
func (p *production) node() node {
	return drawing{calls: p.grammar != "signature"}.expression(p.ast)
}

// giveTokens gives each token of calls to the first production that refers to
// it, but for the tags and whitespace.
func giveTokens(productions []*production, tokens []grammar.TokenRule) {
	given := map[string]bool{"open": true, "close": true, "space": true, "other": true, "unclosed": true}
	for _, p := range productions {
		if p.grammar != "call" {
			continue
		}
		for _, name := range tokensOf(p.ast) {
			for _, t := range tokens {
				if strings.ToLower(t.Name) == name && !given[name] {
					given[name] = true
					p.tokens = append(p.tokens, t)
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

func (d drawing) expression(e *ebnf.Expression) node {
	if len(e.Alternatives) == 1 {
		return d.sequence(e.Alternatives[0].Terms)
	}
	var c choice
	for _, s := range e.Alternatives {
		c = append(c, d.sequence(s.Terms))
	}
	return c
}

// sequence draws X (sep X)* as a loop that comes back through sep.
func (d drawing) sequence(terms []*ebnf.Term) node {
	var s sequence
	for i := 0; i < len(terms); i++ {
		if between := separator(terms[i:]); between != nil {
			s = append(s, loop{d.term(terms[i]), d.term(between)})
			i++
			continue
		}
		s = append(s, d.term(terms[i]))
	}
	if len(s) == 1 {
		return s[0]
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

func (d drawing) term(t *ebnf.Term) node {
	var n node
	switch {
	case t.Group != nil && t.Group.Lookahead == ebnf.LookaheadAssertionPositive:
		text := strings.ReplaceAll(strings.ReplaceAll(t.Group.Expr.String(), `"`, ""), " | ", " or ")
		n = word{text: "then " + text, class: "p"}
	case t.Group != nil:
		n = d.expression(t.Group.Expr)
	case t.Token != "":
		n = d.token(t.Token)
	case t.Literal != "":
		n = word{text: strings.Trim(t.Literal, `"`), class: "t"}
	default:
		n = word{text: t.Name, class: "n", href: "production." + t.Name}
	}
	switch t.Repetition {
	case "?":
		return optional{n}
	case "*":
		return optional{loop{node: n}}
	case "+":
		return loop{node: n}
	}
	return n
}

// token draws a token by its name, and a tag as it stands.
func (d drawing) token(name string) node {
	if !d.calls {
		return word{text: name, class: "c"}
	}
	w := word{text: name, class: "c", href: "token." + name}
	switch name {
	case "open":
		w.text, w.class = grammar.DefaultDelims.Open, "t"
	case "close":
		w.text, w.class = grammar.DefaultDelims.Close, "t"
	}
	return w
}

// tokenText writes a token as in EBNF.
func tokenText(t grammar.TokenRule) string {
	return fmt.Sprintf("<%s> = /%s/ .", strings.ToLower(t.Name), t.Pattern)
}
