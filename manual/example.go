package manual

import (
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

// write writes a call and checks that it reads back without an issue.
func (o Options) write(catalog *sig.Catalog, plan sig.Plan, input []byte) (call string, ok bool) {
	format := parse.FormatOptions{Delims: o.tags(), JSON: plan.Syntax == sig.JSON}
	call, err := format.Format(catalog, plan.Tool.Name, input)
	if err != nil {
		return "", false
	}
	read := parse.Options{Delims: o.tags(), Strict: true}.Text(call, catalog)
	return call, len(read) == 1 && read[0].Kind == parse.Call && sameJSON(read[0].Input, input)
}
