// Package manual is what a model sees: the manual that explains its tools, the
// history of the conversation in the wire format, and what it is told of calls
// that were wrong.
//
//	catalog, err := sig.Compile(tools)
//	prompt := manual.Render(catalog, manual.Options{})
//	system = manual.Merge(system, prompt, manual.Last)
//
// # Terminology
//
// The manual is a header and the signatures of the tools. The header has an
// example or two, which are calls of the caller's own tools, and the rules that
// models break. A result is what a tool returned, as text between the tags of
// results. Feedback is the result of a call that could not be executed. The
// loader is the tool by which a model asks for the signatures of lazy tools.
//
// # What is promised
//
// Every example and every call that this package writes reads back, under the
// same tags and catalogue, to the arguments it was made of. All functions here
// are pure: the same tools, options and messages give the same text, so that
// caches of prompts hold from step to step.
//
// # Security
//
// Descriptions of tools, results and, if asked for, what users say are untrusted
// text, which may hold calls and ends of results. [Neutralize] takes both out
// of them, exactly and reversibly; see there. It is applied to all that this
// package puts into a prompt and has not written itself. Nothing can keep a
// model from writing a call because a text told it to: decide what a call may do
// where it is executed. Where that is not enough, [RandomDelims] gives the
// conversation tags that no text can know beforehand.
package manual
