// Package sig compiles the JSON Schemas of tools into a catalog: what a parser
// needs to turn the words of a call into JSON of the right types, in a form that
// it can query without allocating.
//
//	catalog, err := sig.Compile(tools)         // MCP, OpenAI, Anthropic, AI SDK, or []sig.Tool
//	tool := catalog.Lookup([]byte("getWeather"))
//	field := tool.Args.Field([]byte("location"))
//	field.Type.Kinds                           // string
//
// # Terminology
//
// A tool's arguments are one JSON object. A place is the arguments object or
// anything below it: a property, an element. A [Type] describes a
// place: the set of JSON types allowed there (T in the rules of the
// format), as [Kinds], the literals allowed, and the types of the places
// below. A place that the schema does not describe is untyped, a nil *Type.
//
// Schemas that must all hold at a place (by $ref, allOf) are intersected, as if their
// keywords were in one schema. Alternatives (of anyOf, oneOf, nullable) are united: a
// property is required if every alternative that allows objects requires it, and an object
// is closed if all of them are.
//
// # Signatures
//
// A signature shows a model in one line what a tool takes. [PlanOptions] choose
// whether a tool is announced as key=value or as JSON, [SignatureOptions] write
// the line:
//
//	getWeather location days?:int units?:metric|imperial - Get the weather
//
// The notation is that of package grammar. Names, literals and descriptions are
// untrusted text: nothing in them can end the line, begin another, or contain a
// call tag.
//
// # Dirty schemas
//
// Schemas in the wild are often not quite JSON Schema. Compile refuses only
// what is not JSON or has no known shape. It reads everything else as best it
// can and reports each oddity in [Catalog.Problems]: a [Problem] with a code, a
// JSON pointer, and how it was read.
//
// A Type is not a validator. It covers the part of JSON Schema that decides how a
// value is read and which names are known: not minimum, pattern, format or
// uniqueItems. Validate arguments against [Tool.Schema] where that matters.
//
// # Security
//
// Schemas come from untrusted servers. Compile fetches nothing and never panics.
// A schema cannot exhaust the stack, the time or the memory: nesting below
// properties and items is followed with a queue, nesting of applicators to a
// depth of 256, and the work for one tool is bounded by a constant plus a
// multiple of its size. What lies beyond is untyped, and reported. Patterns are
// run by package regexp in linear time.
//
// A catalog keeps no reference to what it was compiled from, does not change
// and may be used concurrently.
package sig
