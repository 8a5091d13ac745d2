// Package actor is an endpoint whose models are known: programs that play what
// they are given to play, well or badly in a known way. It is how the benchmarks
// on models are tested, and shown to those who have no key.
//
// A [Server] speaks OpenAI's and Anthropic's interface over HTTP, streamed and
// whole, with native calls, and can make trouble: too many requests, failures, cut
// connections, pauses. What a model answers depends on nothing but the request. All
// answers carry the header of endpoint.ScriptedHeader, so that no record of them
// can be taken for one of a real model.
package actor
