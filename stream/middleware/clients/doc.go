// Package clients tests the middleware against the SDKs of others: their
// requests, their accumulators, their idea of a conversation. It exports nothing.
//
// It is a module of its own, so that these SDKs are nobody's dependencies; the
// README says how to run it.
package clients
