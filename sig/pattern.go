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

// oneRepeat matches a pattern whose only repetition is an {n,m} of a single character.
var oneRepeat = regexp.MustCompile(`^([^*+{]*[^*+{)])\{\d+(?:,\d*)?\}([^*+{]*)$`)

// compilePattern compiles a regular expression of the schema and returns how many
// instructions a byte of a key may run; nil, which matches everything, if that is
// not possible.
func (c *compiler) compilePattern(v *value, source string) (matches *regexp.Regexp, size int) {
	bad := func(format string, args ...any) (*regexp.Regexp, int) {
		c.report(v, badPattern, format+" matches every key", args...)
		return nil, 0
	}
	if len(source) > maxPattern {
		return bad("the pattern is longer than %d bytes: it", maxPattern)
	}
	// A repetition is compiled into copies of what it repeats.
	cost := len(source)
	if strings.Contains(source, "{") {
		cost *= 500
	}
	if !c.spend(cost) {
		return nil, 0
	}
	matches, err := regexp.Compile(source)
	if err != nil {
		if _, parsed := syntax.Parse(source, syntax.Perl); parsed != nil {
			return bad("%v: the pattern", parsed)
		}
		return bad("the pattern repeats too much: it")
	}
	// Each character of a key is in only one of the copies.
	if once := oneRepeat.FindStringSubmatch(source); once != nil && source[0] == '^' {
		source = once[1] + "+" + once[2]
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return bad("%v: the pattern", err) // not reached: it compiled above
	}
	program, _ := syntax.Compile(tree.Simplify()) // as does a part of it
	size = len(program.Inst)
	if program.StartCond()&syntax.EmptyBeginText == 0 {
		size *= 2 // a match can start at each byte
	}
	if size > maxPatternSize {
		return bad("the pattern repeats too much: it")
	}
	return matches, size
}
