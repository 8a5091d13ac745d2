package manual

import (
	"strings"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Example returns a sample call of the tool: with its required arguments, and an
// optional one if that shows more. The call reads back without an issue and fits the
// schema as far as this package can judge; ok is false if it finds no such arguments
// (say, for a pattern it cannot satisfy).
//
// The tool's own examples come first, if they fit. Otherwise values are those the
// schema gives, in examples, default, enum or const, or else made up from names and
// formats.
func (o Options) Example(catalog *sig.Catalog, plan sig.Plan) (call string, ok bool) {
	const longest = 200
	if plan.Tool == nil {
		return "", false
	}
	for _, given := range plan.Tool.InputExamples {
		if call, ok := o.write(catalog, plan, compacted(given)); ok && len(call) <= longest {
			return call, true
		}
	}
	m := maker{}
	input := m.arguments(plan.Tool.Args)
	if input == nil {
		return "", false
	}
	return o.write(catalog, plan, input)
}

// write writes a call and checks that it reads back without an issue and is fully
// visible, in one line in the wire format: a tool's name may contain what looks like a
// line end, or changes the direction of text. A literal may contain a result tag, which
// would end the result that shows the call.
func (o Options) write(catalog *sig.Catalog, plan sig.Plan, input []byte) (call string, ok bool) {
	format := parse.FormatOptions{Protocol: o.Protocol, Delims: o.tags(), JSON: plan.Syntax == sig.JSON, Salvage: true, Visible: true}
	call, err := format.Format(catalog, plan.Tool.Name, input)
	hides := sig.Invisible
	if o.Protocol != nil { // it may write a call in several lines
		hides = func(r rune) bool { return r != '\n' && sig.Invisible(r) }
	}
	if err != nil || strings.ContainsFunc(call, hides) || o.holdsResult(call) {
		return "", false
	}
	read := parse.Options{Protocol: o.Protocol, Delims: o.tags(), Strict: true}.Text(call, catalog)
	return call, len(read) == 1 && read[0].Kind == parse.Call && sameJSON(read[0].Input, input)
}

// holdsResult reports whether a call contains a result tag.
func (o Options) holdsResult(call string) bool {
	if p := o.prompter(); p != nil {
		open, close := p.ResultTags("")
		return strings.Contains(call, open) || strings.Contains(call, close)
	}
	d := o.tags()
	return o.guard().In(strings.TrimSuffix(strings.TrimPrefix(call, d.Open), d.Close))
}
