// Package conversation reads conversations of programs with models: the messages of
// OpenAI, Anthropic and the AI SDK, requests and answers with them, and the calls in
// these. Package manual knows what a message is; here is what stands around it.
//
// A [Transcript] has calls and results as parts of its messages, also where they stood
// in text, and is written in any of the [Shapes].
package conversation
