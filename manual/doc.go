// Package manual writes everything that a model reads about its tools: the prompt that explains
// them, the history of the conversation in the call format, results, and feedback on faulty calls.
//
//	catalog, err := sig.Compile(tools)
//	...
//	m, err := manual.New(catalog, nil)
//	...
//	messages, unwritable := m.Rewrite(conversation) // calls and results as text
//	messages = manual.AddPrompt(messages, m.String(), false)
//	...
//	feedback := m.Feedback(segment) // on a malformed call of the answer
//
// Package chat runs the whole loop.
//
// # Terms
//
// The prompt is a header and the signatures of the tools. The header has an example or two, calls
// of the caller's own tools, and the rules that models break. A result is what a tool returned, as
// text between result tags. Feedback is the result of a call that could not be executed. The loader
// is the tool that a model calls to get the signatures of lazy tools.
//
// # Guarantees
//
// Every call that this package writes reads back, under the same tags and catalog, to the arguments
// it was made from. A Manual depends on its catalog and options only: the same messages give the
// same text, and another message never changes earlier ones, so prompt caches hold from step to
// step.
//
// # Security
//
// Descriptions of tools, results and user messages are untrusted text, which may contain calls and
// result tags. [Manual.Neutralize] breaks both, exactly and reversibly. This package applies it to
// everything it puts into a prompt and did not write itself. A model may still follow instructions
// in a text and write a call: decide what a call may do where it is executed. If that is not
// enough, [RandomTags] gives the conversation tags that no text can know in advance.
package manual
