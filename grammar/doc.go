// Package grammar is the formal grammar of the wire format and of three others: the
// executable definition of what a call is.
//
//	g, err := grammar.New(grammar.DefaultDelims)
//	for _, s := range g.Read([]byte("Hi. <call>add a=1</call>"), grammar.Options{}) {
//		fmt.Println(s.Kind, s.Start, s.End, s.Name, s.Input)
//	}
//	// text 0 4
//	// tool-call 4 24 add {"a":1}
//
// It reads whole texts and is written for clarity and correctness rather than speed;
// tests compare the production packages with it, and it imports none of them.
//
// # Terms
//
// A text is prose with calls in it. A call is enclosed in two tags, the opener
// and the closing tag; its body is a name and arguments:
//
//	Let me check. <call>getWeather location="New York" units=metric</call>
//
// An opener that does not start a call is prose. A call with an error is
// malformed: it has a code for the error and the offset of the error. Offsets
// count bytes from the beginning of the text. From that offset on, the call is
// damage, which is skipped to its end; then reading continues as if the malformed
// span had not been there.
//
// # A format
//
// A format is a value of type [Grammar]: that of the wire format comes from [New], and
// those of hermes, gemma-fence and qwen3-coder from [ByName]. It has four parts.
//
//   - Framing: the tags, what must follow an opener, and the quotes that hide tags.
//     They decide where calls are and where damage ends.
//   - A table of states, each with the tokens that may begin there and the code of the
//     error if none does ([State]).
//   - Productions over these tokens, in the notation of github.com/alecthomas/participle:
//     the types from [Call], [Envelope] and [Function] down. The next token decides every
//     alternative. Values are the same types in all formats.
//   - How the tree is read: the name, and the arguments as JSON. This part covers what
//     a grammar cannot express well: the members of an envelope, the names of the tools,
//     repeated and conflicting keys.
//
// Everything else is common to all formats and written once: [Grammar.Read], [Limits], the
// order of faults, UTF-8, damage, and the AfterMalformed mark. [Grammar.EBNF] returns the
// productions as text, and [Grammar.States] the states.
//
// # Rules
//
// A paragraph such as "Rule: body.argument, value.empty" at the end of a
// comment names the rules that the declaration states. The specification and
// the conformance cases refer to rules by these names.
package grammar
