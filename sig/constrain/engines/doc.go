// Package engines tests grammars against the engines of others: llama.cpp and
// xgrammar, which must take every grammar, and agree with package constrain on
// every text. It exports nothing.
//
// It is a module of its own, so that these engines are nobody's dependencies; the
// README says how to run it.
package engines
