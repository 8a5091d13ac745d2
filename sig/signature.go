package sig

import (
	"slices"
	"strconv"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
)

// Style is a notation of signatures.
type Style uint8

// The two styles. They differ in separators, and in what goes without saying.
const (
	// Compact takes the fewest tokens: spaces between parameters, no type where
	// it is string, literals without quotes where they can be nothing else.
	//
	//	getWeather location days?:int units?:metric|imperial - Get the weather
	Compact Style = iota

	// Classic says everything:
	//
	//	getWeather: location:string, days?:int, units?:"metric"|"imperial" — Get the weather
	Classic
)

// String returns "compact" or "classic".
func (s Style) String() string { return nameOf("Style", uint8(s), "compact", "classic") }

// Detail says how much of the descriptions of parameters a signature keeps.
type Detail uint8

// The degrees of detail. A description stands in parentheses after its
// parameter, and before it the constraints in words: (1 to 100; how many).
const (
	Short Detail = iota // the first sentence, in at most 60 characters; with constraints 160
	Off                 // none, nor constraints
	Full                // all of it
)

// String returns "short", "off" or "full".
func (d Detail) String() string { return nameOf("Detail", uint8(d), "short", "off", "full") }

// nameOf returns the i-th of the names of a type's values, and Type(9) for a value
// that has none.
func nameOf(typ string, i uint8, names ...string) string {
	if int(i) < len(names) {
		return names[i]
	}
	return typ + "(" + strconv.Itoa(int(i)) + ")"
}

// SignatureOptions say how signatures are written. The zero value is good for
// most catalogues.
type SignatureOptions struct {
	Style Style

	// Description is how many characters of a tool's description are kept: 0
	// stands for DefaultDescription, WholeDescription for all, a negative number for
	// none.
	Description int

	// Parameters says how much is kept of the descriptions of parameters and of
	// constraints, and Budget how many characters they may have in one signature
	// altogether; 0 is no bound. A budget that is short is shared: the longest are
	// cut first. What is left out in the end is told by Omitted.
	Parameters Detail
	Budget     int

	// HideDefaults leaves default values out.
	HideDefaults bool

	// Tags are what no text of a schema may contain; nil stands for the default
	// tags of calls. In prose a backslash goes after their first byte, in names
	// and literals that byte is escaped. See lexer.Delims.Validate for what a
	// tag can be.
	Tags []string
}

// DefaultDescription is how many characters of a tool's description are kept
// unless the options say otherwise. One full sentence fits.
const DefaultDescription = 200

// WholeDescription is more characters than any description has.
const WholeDescription = 1 << 30

// What Short keeps, in characters.
const (
	shortDetail  = 60  // of one description
	shortComment = 160 // of all that is told of a parameter
)

// defaultGuard is against the default tags of calls.
var defaultGuard = lexeme.NewGuard(lexer.DefaultDelims.Open, lexer.DefaultDelims.Close)

// Signature returns the signature of the tool, under default options.
func (t *Tool) Signature() string {
	p, _ := PlanOptions{}.Plan(t) // fails under Refuse only
	return SignatureOptions{}.Signature(p)
}

// Signature returns the signature of the planned tool: one line, without a line
// end, in the notation that grammar.Signature defines.
//
// It names every property of the compiled schema; required ones come first, then
// the order is that of the schema. It does not depend on the order of anything
// else in the schema. It takes time linear in the compiled type: a type that is
// used twice is written once and then referred to. What lies deeper than any
// call may nest is any.
func (o SignatureOptions) Signature(p Plan) string {
	return string(o.Append(nil, p))
}

// Type returns the type as signatures write it after the colon of a parameter:
// int, metric|imperial, {x y?:int}[]. It takes time linear in the type.
func (o SignatureOptions) Type(t *Type) string {
	w := o.signer(Plan{Tool: new(Tool)})
	w.begin(t)
	return w.typeText(t, false)
}

// Append appends the signature to dst and returns the extended buffer.
func (o SignatureOptions) Append(dst []byte, p Plan) []byte {
	w := o.signer(p)
	return w.signature(dst, p)
}

// signer returns what writes the signature of the tool. Where a budget is set it
// has written once, to learn how long the comments are.
func (o SignatureOptions) signer(p Plan) signer {
	w := signer{o: o, guard: defaultGuard, longest: WholeDescription}
	if o.Tags != nil {
		w.guard = lexeme.NewGuard(o.Tags...)
	}
	if o.Parameters == Short {
		w.longest = shortComment
	}
	if o.Parameters != Off && o.Budget > 0 {
		measure := w
		measure.lengths = make([]int, 0, 16)
		measure.signature(nil, p)
		w.longest = share(o.Budget, measure.lengths)
	}
	return w
}

// share returns the most characters that each description may have so that all
// together have at most budget.
func share(budget int, lengths []int) int {
	slices.Sort(lengths)
	for i, n := range lengths {
		rest := len(lengths) - i
		if n*rest > budget {
			return budget / rest
		}
		budget -= n
	}
	return WholeDescription
}

// Signatures returns the signatures of the planned tools, in their order.
func (o SignatureOptions) Signatures(plans []Plan) []string {
	lines := make([]string, len(plans))
	for i, p := range plans {
		lines[i] = o.Signature(p)
	}
	return lines
}
