package sig

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern is a pattern of patternProperties; one without matches matches every name.
type pattern struct {
	matches *regexp.Regexp
	typ     *Type
}

// A byte of a key can take as many steps as the pattern's program has instructions,
// about five nanoseconds each, so longer patterns are not run. Copies that are never
// active together count as one, which leaves room for ^[a-z]{1,255}$ and for twenty
// prefixes.
const (
	maxPattern = 512 // bytes of one pattern

	// maxPatternSize bounds the instructions of all patterns of an object; those of a
	// pattern without ^ at its start count twice.
	maxPatternSize = 160
)

// compilePattern compiles a regular expression of the schema and returns how many
// instructions a byte of a key may run; nil, which matches everything, if that is
// not possible.
func (c *compiler) compilePattern(v *value, source string) (matches *regexp.Regexp, size int) {
	if len(source) > maxPattern {
		c.report(v, badPattern,
			"the pattern is longer than %d bytes: it matches every key", maxPattern)
		return nil, 0
	}
	// A repetition is compiled into copies of what it repeats.
	cost := len(source)
	if strings.Contains(source, "{") {
		cost *= 500
	}
	if !c.spend(cost) {
		return nil, 0
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		c.report(v, badPattern, "%v: the pattern matches every key", err)
		return nil, 0
	}
	program, err := syntax.Compile(tree.Simplify())
	if err == nil {
		switch anchored := program.StartCond()&syntax.EmptyBeginText != 0; {
		case !anchored:
			size = 2 * len(program.Inst) // a match can start at each byte
		case repeatOnce(tree):
			program, err = syntax.Compile(tree.Simplify())
			fallthrough
		default:
			size = len(program.Inst)
		}
	}
	if err != nil || size > maxPatternSize {
		c.report(v, badPattern, "the pattern repeats too much: it matches every key")
		return nil, 0
	}
	matches, _ = regexp.Compile(source) // it compiled above, so there is no error
	return matches, size
}

// repeatOnce reports whether the only repetition in tree is an {n,m} of a single
// character. If so, it replaces {n,m} by +: each character of a key is in only one
// of the copies.
func repeatOnce(tree *syntax.Regexp) bool {
	var found *syntax.Regexp
	n := 0
	var walk func(*syntax.Regexp)
	walk = func(re *syntax.Regexp) {
		switch re.Op {
		case syntax.OpRepeat, syntax.OpStar, syntax.OpPlus:
			found, n = re, n+1
		}
		for _, sub := range re.Sub {
			walk(sub)
		}
	}
	walk(tree)
	if n != 1 || found.Op != syntax.OpRepeat {
		return false
	}
	switch unit := found.Sub[0]; unit.Op {
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
	case syntax.OpLiteral:
		if len(unit.Rune) > 1 {
			return false
		}
	default:
		return false
	}
	found.Op = syntax.OpPlus
	return true
}
