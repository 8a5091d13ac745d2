package sig

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern is a pattern of patternProperties; nil matches every name.
type pattern struct {
	matches *regexp.Regexp
	typ     *Type
}

// A byte of a key may cost as many steps as the pattern's program has instructions,
// each of about five nanoseconds, so what is longer is not run. There is room for
// ^[a-z]{1,64}$, which has 131, and for twenty prefixes.
const (
	maxPattern     = 512 // bytes of one pattern
	maxPatternSize = 160 // instructions of all patterns of an object; half as many where no ^ begins a pattern
)

// compilePattern compiles a regular expression of the schema and returns its size;
// nil, which matches everything, if that is not possible.
func (c *compiler) compilePattern(v *value, source string) (matches *regexp.Regexp, size int) {
	if len(source) > maxPattern {
		c.report(v, BadPattern, "the pattern is longer than %d bytes: it counts as matching every key", maxPattern)
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
		c.report(v, BadPattern, "%v: the pattern counts as matching every key", err)
		return nil, 0
	}
	program, err := syntax.Compile(tree.Simplify())
	if err == nil {
		if size = len(program.Inst); program.StartCond()&syntax.EmptyBeginText == 0 {
			size *= 2 // it begins anew at each byte
		}
	}
	if err != nil || size > maxPatternSize {
		c.report(v, BadPattern, "the pattern repeats too much: it counts as matching every key")
		return nil, 0
	}
	matches, _ = regexp.Compile(source) // as above, so there is no error
	return matches, size
}
