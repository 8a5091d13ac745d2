// Package engines tests grammars in third-party engines: llama.cpp and xgrammar must
// accept every grammar and agree with package constrain on every text. It exports
// nothing.
//
// It is a separate module, so that these engines are not dependencies of callwire; see
// the README for how to run it.
package engines
