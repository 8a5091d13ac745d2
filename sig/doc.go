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
// anything below it: a property, an element. A [Type] describes a place: the JSON
// types and literals allowed there, and the types of the places below. A place that
// the schema does not describe is untyped, a nil *Type.
//
// Schemas that must all hold at a place (by $ref, allOf) are intersected, as if their
// keywords were in one schema. Alternatives (of anyOf, oneOf, nullable) are united: a
// property is required if every alternative that allows objects requires it, and an object
// is closed if all of them are. A property or an element has the types of the alternatives that
// constrain it: one that allows any other property, or any element, adds nothing.
//
// # Signatures
//
// A signature shows a model in one line what a tool takes. [Tool.Plan] decides
// whether a tool is announced as key=value or as JSON, [SignatureOptions] write
// the line, in the notation of package grammar:
//
//	getWeather location days?:int units?:metric|imperial - Get the weather
//
// # Dirty schemas
//
// Compile refuses only what is not JSON or has no known shape. It reads everything
// else as best it can and reports each oddity in [Catalog.Problems].
//
// # Security
//
// Schemas come from untrusted servers. Compile fetches nothing and never panics.
// A schema cannot exhaust the stack, the time or the memory: nesting below
// properties and items is followed with a queue, nesting of applicators to a
// depth of 256, and the work for one tool is bounded by a constant plus a
// multiple of its size. What lies beyond is untyped, and reported. Patterns are
// run by package regexp in linear time. Nothing in the names, literals and descriptions
// of a signature can end the line, begin another, or contain a call tag.
package sig
