package manual

import (
	"strings"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Example returns a call of the tool that shows how it is written: with the
// arguments that it requires, and an optional one where that shows more. It
// reads back without an issue and fits the schema as far as this package can
// judge; where it finds no such arguments (a pattern that it cannot satisfy), ok
// is false.
//
// An example that the tool has itself comes first, where it fits. Values are else
// those that the schema gives, in examples, default, enum or const,
// else made up from names and formats.
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

// write writes a call and checks that it reads back without an issue, and that all of
// it shows, in one line if it is of the wire format: the name of a tool may hold what
// looks like the end of a line, or turns the direction of writing. A literal may hold
// the tag of a result, which would end the one that the call is shown in.
func (o Options) write(catalog *sig.Catalog, plan sig.Plan, input []byte) (call string, ok bool) {
	format := parse.FormatOptions{Protocol: o.Protocol, Delims: o.tags(), JSON: plan.Syntax == sig.JSON, Salvage: true, Visible: true}
	call, err := format.Format(catalog, plan.Tool.Name, input)
	hides := sig.Invisible
	if o.Protocol != nil { // it may print a call in several lines
		hides = func(r rune) bool { return r != '\n' && sig.Invisible(r) }
	}
	if err != nil || strings.ContainsFunc(call, hides) || o.holdsResult(call) {
		return "", false
	}
	read := parse.Options{Protocol: o.Protocol, Delims: o.tags(), Strict: true}.Text(call, catalog)
	return call, len(read) == 1 && read[0].Kind == parse.Call && sameJSON(read[0].Input, input)
}

// holdsResult reports whether a call has the tag of a result in it.
func (o Options) holdsResult(call string) bool {
	if p := o.prompter(); p != nil {
		open, close := p.ResultTags("")
		return strings.Contains(call, open) || strings.Contains(call, close)
	}
	d := o.tags()
	return o.guard().In(strings.TrimSuffix(strings.TrimPrefix(call, d.Open), d.Close))
}
