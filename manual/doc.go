// Package manual is what a model sees: the manual that explains its tools, the
// history of the conversation in the wire format, and feedback on faulty calls.
//
//	catalog, err := sig.Compile(tools)
//	prompt := manual.Render(catalog, manual.Options{})
//	system = manual.Merge(system, prompt, manual.Last)
//
// # Terminology
//
// The manual is a header and the signatures of the tools. The header has an example or
// two, calls of the caller's own tools, and the rules that models break. A result is
// what a tool returned, as text between result tags. Feedback is the result of a call
// that could not be executed. The loader is the tool a model calls to get the
// signatures of lazy tools.
//
// # What is promised
//
// Every example and every call that this package writes reads back, under the
// same tags and catalog, to the arguments it was made of. All functions here
// are pure: the same tools, options and messages give the same text, so prompt caches
// hold from step to step.
//
// # Security
//
// Descriptions of tools, results and, on request, what users say are untrusted text,
// which may contain calls and result tags. [Neutralize] breaks both, exactly and
// reversibly. This package applies it to everything it puts into a prompt and did not
// write itself. Nothing can keep a model from writing a call because some text told it
// to: decide what a call may do where it is executed. If that is not enough,
// [RandomDelims] gives the conversation tags that no text can know in advance.
package manual
