package spec

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/alecthomas/participle/v2/ebnf"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/spec/railroad"
)

// A drawing makes diagrams of productions.
type drawing struct {
	calls bool // not of signatures, whose tokens have no place of their own
}

// joined returns a node of several parts, or the only part.
func joined(kind railroad.Kind, parts []*railroad.Node) *railroad.Node {
	if len(parts) == 1 {
		return parts[0]
	}
	return railroad.Of(kind, parts...)
}

// repeated returns a node with a mark of repetition: ?, *, + or none.
func repeated(n *railroad.Node, mark string) *railroad.Node {
	if mark == "*" || mark == "+" {
		n = railroad.Of(railroad.Loop, n)
	}
	if mark == "*" || mark == "?" {
		n = railroad.Of(railroad.Optional, n)
	}
	return n
}

// word returns the box of a class with its text.
func word(class, text string) *railroad.Node {
	return &railroad.Node{Kind: railroad.Word, Class: class, Text: text}
}

func (d drawing) expression(e *ebnf.Expression) *railroad.Node {
	var choices []*railroad.Node
	for _, s := range e.Alternatives {
		choices = append(choices, d.sequence(s.Terms))
	}
	return joined(railroad.Choice, choices)
}

// sequence draws X (sep X)* as a loop that comes back through sep.
func (d drawing) sequence(terms []*ebnf.Term) *railroad.Node {
	var parts []*railroad.Node
	for len(terms) > 0 {
		n := d.term(terms[0])
		if between := separator(terms); between != nil {
			n = railroad.Of(railroad.Loop, n)
			n.Between = d.term(between)
			terms = terms[1:]
		}
		parts, terms = append(parts, n), terms[1:]
	}
	return joined(railroad.Sequence, parts)
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

func (d drawing) term(t *ebnf.Term) *railroad.Node {
	var n *railroad.Node
	switch {
	case t.Group != nil && t.Group.Lookahead == ebnf.LookaheadAssertionPositive:
		follow := strings.ReplaceAll(t.Group.Expr.String(), `"`, "")
		n = word("p", "then "+strings.ReplaceAll(follow, " | ", " or "))
	case t.Group != nil:
		n = d.expression(t.Group.Expr)
	case t.Literal != "":
		n = word("t", strings.Trim(t.Literal, `"`))
	case t.Token == "":
		n = word("n", t.Name)
		n.Link = "production." + t.Name
	default:
		n = d.token(t.Token)
	}
	return repeated(n, t.Repetition)
}

// token draws a token by its name, and a tag literally.
func (d drawing) token(name string) *railroad.Node {
	n := word("c", name)
	if !d.calls {
		return n
	}
	switch name {
	case "open":
		n = word("t", grammar.DefaultDelims.Open)
	case "close":
		n = word("t", grammar.DefaultDelims.Close)
	}
	n.Link = "token." + name
	return n
}

// patternNode returns the regular expression of a token as a diagram.
func patternNode(pattern string) *railroad.Node {
	return drawPattern(must(syntax.Parse(pattern, syntax.Perl)))
}

func drawPattern(re *syntax.Regexp) *railroad.Node {
	var parts []*railroad.Node
	for _, sub := range re.Sub {
		parts = append(parts, drawPattern(sub))
	}
	switch re.Op {
	case syntax.OpEmptyMatch:
		return railroad.Of(railroad.Skip)
	case syntax.OpLiteral:
		text := ""
		for _, r := range re.Rune {
			text += characterName(r)
		}
		return word("t", text)
	case syntax.OpCharClass:
		return word("c", describeClass(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return word("c", "anything")
	case syntax.OpEndText:
		return word("p", "end of text")
	case syntax.OpConcat:
		return joined(railroad.Sequence, parts)
	case syntax.OpAlternate:
		return joined(railroad.Choice, parts)
	case syntax.OpStar:
		return repeated(parts[0], "*")
	case syntax.OpPlus:
		return repeated(parts[0], "+")
	case syntax.OpQuest:
		return repeated(parts[0], "?")
	}
	return parts[0] // a group
}

// characterNames are the names of characters that show nothing.
var characterNames = map[rune]string{
	' ': "space", '\t': "tab", '\n': "LF", '\r': "CR",
}

func characterName(r rune) string {
	switch name, ok := characterNames[r]; {
	case ok:
		return name
	case unicode.IsPrint(r):
		return string(r)
	}
	return fmt.Sprintf("U+%04X", r)
}

// describeClass lists the characters in the ranges, or the others if that is shorter.
func describeClass(ranges []rune) string {
	words := describeRanges(ranges)
	if ranges[len(ranges)-1] != unicode.MaxRune {
		return words
	}
	var others []rune
	next := rune(0)
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i] > next {
			others = append(others, next, ranges[i]-1)
		}
		next = ranges[i+1] + 1
	}
	if not := "not " + describeRanges(others); len(not) < len(words) {
		return not
	}
	return words
}

// sets are the sets of characters that have a name.
var sets = []struct {
	first, last rune
	name        string
}{
	{0, 0x1f, "control"}, {'0', '9', "0–9"}, {'A', 'Z', "A–Z"}, {'a', 'z', "a–z"},
}

func describeRanges(ranges []rune) string {
	var words []string
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			name := characterName(r)
			for _, set := range sets {
				if r == set.first && set.last <= ranges[i+1] {
					name, r = set.name, set.last
				}
			}
			switch {
			case r == 0x7f && words[0] == "control":
				continue
			case r >= 0x80:
				name, r = "non-ASCII", ranges[i+1]
			}
			words = append(words, name)
		}
	}
	return strings.Replace(strings.Join(words, " "), "tab LF CR space", "whitespace", 1)
}
