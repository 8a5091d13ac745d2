// Package sig compiles JSON Schemas of tools into a catalogue: what a parser
// must know to turn the words of a call into JSON of the right types, in a
// form that it can ask without allocating.
//
//	catalog, err := sig.Compile(tools)         // MCP, OpenAI, Anthropic, AI SDK, or []sig.Tool
//	tool := catalog.Lookup([]byte("getWeather"))
//	field := tool.Args.Field([]byte("location"))
//	field.Type.Kinds                           // string
//
// # Terminology
//
// A tool's arguments are one JSON object. A place is the arguments object or
// anything below it: a property, an element. A [Type] is what the schema says
// about a place: the set of JSON types allowed there (T in the rules of the
// format), as [Kinds], the literals allowed, and the types of the places
// below. A place of which nothing is said is untyped, a nil *Type.
//
// Own keywords (type, properties, …) say something about the value at a place;
// applicators ($ref, allOf, anyOf, oneOf, nullable) say which other schemas
// apply at the same place. The schemas of a place form a conjunction;
// distributing its unions yields its variants, conjunctions of own keywords of
// which one must hold. Types are computed from variants:
//
//   - within a variant everything is intersected, as if all keywords stood in
//     one schema: kinds and literals met, properties joined, required joined;
//   - across variants everything is united: a property is required if it is in
//     every variant that allows objects, and an object is closed if all are.
//
// # Signatures
//
// A signature tells a model in one line what a tool takes. [PlanOptions] choose
// whether a tool is announced as key=value or as JSON, [SignatureOptions] write
// the line:
//
//	getWeather location days?:int units?:metric|imperial - Get the weather
//
// The notation is that of package grammar. Names, literals and descriptions are
// those of whoever made the tool: no text of theirs ends the line, begins
// another, or holds a tag of calls.
//
// # Dirty schemas
//
// Schemas in the wild are often not quite JSON Schema. Compile refuses only
// what is not JSON or in no known shape; everything else it reads as well as
// can be and tells in [Catalog.Problems], one [Problem] for each oddity, with a
// code, a JSON pointer, and how it was read.
//
// A Type is no validator. Of JSON Schema it knows what decides how a value is
// read and which name is known: not minimum, pattern, format or uniqueItems.
// Validate arguments against [Tool.Schema] where that matters.
//
// # Security
//
// Schemas come from servers that nobody vouches for. Compile fetches nothing
// and never panics. Neither its stack nor its time nor its memory is in the
// hands of the schema: nesting below properties and items is followed by a
// queue, nesting of applicators to a depth of 200, and the work for one tool is
// bounded by a constant plus a multiple of its size. What lies beyond is
// untyped, and reported. Patterns are run by package regexp in linear time.
//
// A catalogue keeps no reference to what it was compiled from, does not change
// and may be used concurrently.
package sig
