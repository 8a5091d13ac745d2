// Package grammar is the formal grammar.
package grammar
