// Package endpoint asks a model behind an HTTP API: OpenAI's chat completions, as
// most servers speak them, or Anthropic's messages.
//
// A [Client] sends a [Request], reads the answer as it is streamed, and returns an
// [Answer] with what the model wrote, the tokens that the provider counted and the
// times. It waits and tries again where the endpoint says so, or breaks off.
//
// What goes wrong is an [Error] that says in one line what was expected and what
// came. No key is in it, and nothing of what the model was asked, whatever the
// endpoint has sent back.
package endpoint
