// Package spec writes the specification of the format, as Markdown and as one
// self-contained page of HTML. Everything is written once: the chapters contain
// the sentences, and the rest is generated from the code and the corpus.
//
//	the prose, with directives      chapters/*.md
//	the reasons for decisions       decisions.md
//	EBNF, tokens, lexer states      package grammar
//	the text of each production     the doc comments of package grammar
//	rules and examples              package corpus
//	codes and limits                package lexer
//
// # Directives
//
// A chapter is Markdown. A line of the form {{name arguments}} is a directive:
//
//	{{rule ID CASE…}}     a rule; the prose up to the next directive or heading is its own
//	{{production NAME…}}  productions that belong to no single rule
//	{{table NAME}}        a table that is taken from code; see page/tables.tmpl
//	{{picture}}           the picture of the two layers
//	{{ebnf NAME}}         the whole grammar of calls or of signatures
//	{{decisions}}         decisions.md
//
// The cases after a rule are its examples, in that order. In running text [[x]] refers to a rule, a
// code, a production, a token, a decision or a heading by its id.
//
// Generation panics on an unresolved reference, on a rule that is named twice and
// on one that no chapter names. The tests of this package fail if the generated
// files are out of date.
package spec

//go:generate go run ../cmd/callwire spec --out .
