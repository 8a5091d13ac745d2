package sig

import (
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/guard"
)

// SignatureOptions control how signatures are written. The zero value suits most
// catalogs: it takes the fewest tokens.
type SignatureOptions struct {
	// Classic writes everything out. By default there are spaces between parameters, no type
	// for strings, and no quotes around literals where that is not ambiguous.
	//
	//	getWeather location days?:int units?:metric|imperial - Get the weather
	//	getWeather: location:string, days?:int, units?:"metric"|"imperial" — Get the weather
	Classic bool

	// Description is how many characters of a tool's description are kept: 0
	// means DefaultDescription, a negative number none.
	Description int

	// HideParameters leaves the comments on parameters out, their limits and descriptions, as
	// in days:int (1..16; how many days). Budget is how many characters the descriptions may
	// take in one signature in total; 0 means no limit. Beyond the budget whole descriptions
	// are dropped, the longest first; see Omitted.
	HideParameters bool
	Budget         int

	// HideDefaults leaves default values out.
	HideDefaults bool

	// Tags must not appear in a signature, so they are broken up in the text of
	// schemas: in prose by a backslash after their first byte, in names and
	// literals by escaping that byte. nil means the default call tags, and what
	// a reader that repairs may take for them.
	Tags []string
}

// DefaultDescription is how many characters of a tool's description are kept by
// default. One full sentence fits.
const DefaultDescription = 200

// defaultGuard guards against the default call tags.
var defaultGuard = guard.New(append(format.Wire.Call.Openers(), format.Wire.Call.Close)...)

// Signature returns the signature of the planned tool: one line, without a line
// end, in the notation that grammar.Signature defines.
//
// It names every property of the compiled schema, those that a call must have first,
// otherwise in the order of the schema. A required one that may be null comes later, since it
// is null where it is missing; one that can only be null must be written. The line does not
// depend on the order of anything else in the schema. It takes time linear in the compiled type:
// a type that is used twice is written once and then referred to, also if descriptions or
// ranges are beside a reference. What lies deeper than a call may nest is written as any.
func (o SignatureOptions) Signature(p Plan) string {
	line, _ := o.write(func(w *writer) string { return w.signature(p) })
	return line
}

// Type returns the type as signatures write it after the colon of a parameter:
// int, metric|imperial, {x y?:int}[]. It takes time linear in the type.
func (o SignatureOptions) Type(t *Type) string {
	text, _ := o.write(func(w *writer) string { return w.typeText(t) })
	return text
}

// maxOmissions bounds the keywords reported as left out for one tool.
const maxOmissions = 1000

// Omitted returns what the signature of the planned tool leaves out under these
// options: descriptions, the tool's own with an empty path, limits, and the defaults of
// elements. A limit or a default of more than 1000 bytes is left out, too, and so are contains
// and what would end a comment or change in it. Types, properties, literals and what is required
// are in every signature. What several places share is reported at the first. There are at most
// 1000 keywords.
//
// It takes about as long as the signature.
func (o SignatureOptions) Omitted(p Plan) []Keyword {
	_, omitted := o.write(func(w *writer) string { return w.signature(p) })
	return omitted
}

// write returns what a function writes, and what that leaves out. It is written once before to
// count the uses of types, and with a budget once more to find out which descriptions fit.
func (o SignatureOptions) write(text func(*writer) string) (line string, omitted []Keyword) {
	w := writer{o: o, guard: defaultGuard, uses: make(map[*Type]*use), counting: true}
	if o.Tags != nil {
		w.guard = guard.New(o.Tags...)
	}
	w.again(text)
	w.counting = false
	line = w.again(text)
	if !o.HideParameters && o.Budget > 0 {
		w.dropped = tooLong(o.Budget, w.lengths)
		line = w.again(text)
	}
	return line, w.omitted
}
