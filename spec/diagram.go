package spec

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/alecthomas/participle/v2/ebnf"

	"github.com/callwire/callwire/grammar"
)

// This file draws productions and patterns as railroad diagrams, in HTML that page.css lays out.
// The line runs through the middle of a box, or through the first of several tracks, which lie
// below each other between two sides. A sequence is one part after the other.

// draw returns a diagram. The label is for people who cannot see it.
func draw(parts, label string) string {
	return fmt.Sprintf(`<div class="rr" role="group" aria-label="%s" tabindex="0">`+
		`<span class="track">%s</span></div>`, html.EscapeString(label), parts)
}

// box returns the box of a word. The classes are t for literal bytes, c for a class of bytes, n
// for a reference, and p for what must follow. The anchor, if any, explains the word.
func box(class, text, anchor string) string {
	text = html.EscapeString(text)
	if anchor != "" {
		return fmt.Sprintf(`<a class="%s" href="#%s">%s</a>`, class, anchor, text)
	}
	return fmt.Sprintf(`<span class="%s">%s</span>`, class, text)
}

// choice returns several tracks, or the only one.
func choice(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return `<span class="tracks"><span class="track">` +
		strings.Join(parts, `</span><span class="track">`) + `</span></span>`
}

// loop returns a part that can be repeated, with what is between on the way back.
func loop(part, between string) string {
	return `<span class="tracks"><span class="track">` + part +
		`</span><span class="track back">` + between + `</span></span>`
}

// repeated returns a part with a mark of repetition: ?, *, + or none.
func repeated(part, mark string) string {
	if mark == "*" || mark == "+" {
		part = loop(part, "")
	}
	if mark == "*" || mark == "?" {
		part = choice([]string{part, ""})
	}
	return part
}

// A drawing makes diagrams of productions.
type drawing struct {
	calls bool // not of signatures, whose tokens have no place of their own
}

func (d drawing) expression(e *ebnf.Expression) string {
	var choices []string
	for _, s := range e.Alternatives {
		choices = append(choices, d.sequence(s.Terms))
	}
	return choice(choices)
}

// sequence draws X (sep X)* as a loop that comes back through sep.
func (d drawing) sequence(terms []*ebnf.Term) string {
	parts := ""
	for len(terms) > 0 {
		part := d.term(terms[0])
		if between := separator(terms); between != nil {
			part = loop(part, d.term(between))
			terms = terms[1:]
		}
		parts, terms = parts+part, terms[1:]
	}
	return parts
}

// separator returns sep if the terms begin with X (sep X)*.
func separator(terms []*ebnf.Term) *ebnf.Term {
	if len(terms) < 2 || terms[1].Group == nil || terms[1].Repetition != "*" {
		return nil
	}
	group := terms[1].Group.Expr.Alternatives
	if len(group) > 1 || len(group[0].Terms) != 2 ||
		group[0].Terms[1].String() != terms[0].String() {
		return nil
	}
	return group[0].Terms[0]
}

func (d drawing) term(t *ebnf.Term) string {
	part := ""
	switch {
	case t.Group != nil && t.Group.Lookahead == ebnf.LookaheadAssertionPositive:
		follow := strings.ReplaceAll(t.Group.Expr.String(), `"`, "")
		part = box("p", "then "+strings.ReplaceAll(follow, " | ", " or "), "")
	case t.Group != nil:
		part = d.expression(t.Group.Expr)
	case t.Literal != "":
		part = box("t", strings.Trim(t.Literal, `"`), "")
	case t.Token == "":
		part = box("n", t.Name, "production."+t.Name)
	case !d.calls:
		part = box("c", t.Token, "")
	case t.Token == "open":
		part = box("t", grammar.DefaultDelims.Open, "token.open")
	case t.Token == "close":
		part = box("t", grammar.DefaultDelims.Close, "token.close")
	default:
		part = box("c", t.Token, "token."+t.Token)
	}
	return repeated(part, t.Repetition)
}

// drawPattern draws the regular expression of a token.
func drawPattern(pattern string) string {
	return regexpDiagram(must(syntax.Parse(pattern, syntax.Perl)))
}

func regexpDiagram(re *syntax.Regexp) string {
	var parts []string
	for _, sub := range re.Sub {
		parts = append(parts, regexpDiagram(sub))
	}
	switch re.Op {
	case syntax.OpLiteral:
		return box("t", string(re.Rune), "")
	case syntax.OpCharClass:
		return box("c", describeClass(re), "")
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return box("c", "anything", "")
	case syntax.OpEndText:
		return box("p", "end of text", "")
	case syntax.OpAlternate:
		return choice(parts)
	case syntax.OpStar:
		return repeated(parts[0], "*")
	case syntax.OpPlus:
		return repeated(parts[0], "+")
	case syntax.OpQuest:
		return repeated(parts[0], "?")
	}
	return strings.Join(parts, "") // a sequence, or a group
}

// The ASCII characters of a class are described in these words. Others are alike, so that
// U+0080 is an example of them all.
var (
	classWord = regexp.MustCompile(
		`(?s)[\x00-\x1F]{32}|\t\n\r |[0-9]{10}|[A-Z]{26}|[a-z]{26}|.`)
	classWords = map[string]string{
		"\t\n\r ": "whitespace", " ": "space", "\t": "tab", "\n": "LF", "\r": "CR",
		"\x7f": "DEL", "\u0080": "non-ASCII",
	}
)

// describeClass lists the characters in a class, or the others if that is shorter.
func describeClass(class *syntax.Regexp) string {
	re, in, out := regexp.MustCompile(class.String()), "", ""
	for r := range '\u0081' {
		if re.MatchString(string(r)) {
			in += string(r)
		} else {
			out += string(r)
		}
	}
	words, not := describe(in), "not "+describe(out)
	if len(not) < len(words) {
		return not
	}
	return words
}

func describe(characters string) string {
	words := classWord.FindAllString(characters, -1)
	for i, w := range words {
		switch len(w) {
		case 32:
			words[i] = "control"
		case 10, 26:
			words[i] = w[:1] + "–" + w[len(w)-1:]
		default:
			words[i] = cmp.Or(classWords[w], w)
		}
	}
	return strings.Join(words, " ")
}
