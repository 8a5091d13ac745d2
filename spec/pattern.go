package spec

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/callwire/callwire/spec/railroad"
)

// patternNode returns the regular expression of a token as a diagram.
func patternNode(pattern string) (*railroad.Node, error) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	return drawPattern(re), nil
}

func drawPattern(re *syntax.Regexp) *railroad.Node {
	parts := func() (all []*railroad.Node) {
		for _, sub := range re.Sub {
			all = append(all, drawPattern(sub))
		}
		return all
	}
	switch re.Op {
	case syntax.OpEmptyMatch:
		return railroad.Of(railroad.Skip)
	case syntax.OpLiteral:
		return box("t", spell(re.Rune))
	case syntax.OpCharClass:
		return box("c", describeClass(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return box("c", "anything")
	case syntax.OpEndText:
		return box("p", "end of text")
	case syntax.OpConcat:
		return railroad.Of(railroad.Sequence, parts()...)
	case syntax.OpAlternate:
		return railroad.Of(railroad.Choice, parts()...)
	case syntax.OpStar:
		return railroad.Of(railroad.Optional, railroad.Of(railroad.Loop, drawPattern(re.Sub[0])))
	case syntax.OpPlus:
		return railroad.Of(railroad.Loop, drawPattern(re.Sub[0]))
	case syntax.OpQuest:
		return railroad.Of(railroad.Optional, drawPattern(re.Sub[0]))
	}
	return drawPattern(re.Sub[0]) // a group
}

// box returns the box of a class with its text.
func box(class, text string) *railroad.Node {
	return &railroad.Node{Kind: railroad.Word, Class: class, Text: text}
}

// spell writes characters, each that shows nothing by its name.
func spell(text []rune) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteString(characterName(r))
	}
	return b.String()
}

func characterName(r rune) string {
	switch r {
	case ' ':
		return "space"
	case '\t':
		return "tab"
	case '\n':
		return "LF"
	case '\r':
		return "CR"
	}
	if unicode.IsPrint(r) {
		return string(r)
	}
	return fmt.Sprintf("U+%04X", r)
}

// describeClass lists the characters in the ranges, or the others if that is shorter.
func describeClass(ranges []rune) string {
	words := describeRanges(ranges)
	if len(ranges) > 0 && ranges[len(ranges)-1] == unicode.MaxRune {
		if others := "not " + describeRanges(complement(ranges)); len(others) < len(words) {
			return others
		}
	}
	return words
}

func complement(ranges []rune) (others []rune) {
	next := rune(0)
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i] > next {
			others = append(others, next, ranges[i]-1)
		}
		next = ranges[i+1] + 1
	}
	return others
}

// named are the sets of characters that have a name, the larger ones first.
var named = []struct {
	name   string
	ranges []rune
}{
	{"control", []rune{0, 0x1f, 0x7f, 0x7f}},
	{"control", []rune{0, 0x1f}},
	{"whitespace", []rune{'\t', '\n', '\r', '\r', ' ', ' '}},
	{"A–Z", []rune{'A', 'Z'}},
	{"a–z", []rune{'a', 'z'}},
	{"0–9", []rune{'0', '9'}},
	{"non-ASCII", []rune{0x80, unicode.MaxRune}},
}

func describeRanges(ranges []rune) string {
	var set []rune // of ASCII, one by one
	beyond := false
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= min(ranges[i+1], 0x7f); r++ {
			set = append(set, r)
		}
		beyond = beyond || ranges[i+1] >= 0x80
	}
	var words []string
	for _, n := range named {
		var members []rune
		for i := 0; i < len(n.ranges); i += 2 {
			for r := n.ranges[i]; r <= min(n.ranges[i+1], 0x7f); r++ {
				members = append(members, r)
			}
		}
		if n.name == "non-ASCII" && beyond {
			words = append(words, n.name)
			continue
		}
		isMissing := func(r rune) bool { return !slices.Contains(set, r) }
		if len(members) == 0 || slices.ContainsFunc(members, isMissing) {
			continue
		}
		words = append(words, n.name)
		set = slices.DeleteFunc(set, func(r rune) bool { return slices.Contains(members, r) })
	}
	for _, r := range set {
		words = append(words, characterName(r))
	}
	return strings.Join(words, " ")
}
