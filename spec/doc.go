// Package spec writes the specification of the format, as Markdown and as one
// page of HTML that needs nothing else. Nothing in either is written twice: the
// chapters hold the sentences, and everything that stands in code or in the
// corpus already is taken from there.
//
//	the prose, with directives      chapters/*.md
//	the reasons for what was chosen decisions.md
//	EBNF, tokens, lexer states      package grammar
//	what each production says       the doc comments of package grammar
//	rules and examples              package corpus
//	codes and limits                package lexer
//
// # Directives
//
// A chapter is Markdown. A line of the form {{name arguments}} is a directive:
//
//	{{rule ID [CASE…]}}   a rule; the prose up to the next directive or heading is its own
//	{{rest GROUP…}}       the rules of these groups that no chapter names
//	{{production NAME…}}  productions that belong to no single rule
//	{{table NAME}}        a table that is taken from code; see table.go
//	{{picture}}           the picture of the two layers
//	{{ebnf NAME}}         the whole grammar of calls or of signatures
//	{{decisions}}         decisions.md
//
// The cases after a rule are its examples, in that order; without them they are
// chosen. In running text [[x]] refers to a rule, a code, a production, a token,
// a decision or a heading by its id.
//
// Generation fails on a reference to nothing, on a rule that is named twice and
// on one that no chapter names. The tests of this package fail where the
// generated files are not what would be generated now.
package spec

//go:generate go run ../cmd/callwire spec --out .
