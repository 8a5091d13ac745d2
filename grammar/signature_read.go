package grammar

import "slices"

// signatureStates are the name, the line after it, braces, brackets, and the parentheses of
// a comment. A name may contain at signs, and colons except at its end. A parenthesis
// directly after a space begins a comment, except in brackets, where types follow spaces.
var signatureStates = func() []State {
	const (
		name      = "[^\\s\\x00-\\x20\\x7F\"'`(){}\\[\\]|=?:,*~<>\\\\—]+"
		patWord   = "[^\\s\\x00-\\x20\\x7F\"'`(){}\\[\\]|=?:,*@~<>\\\\—]+"
		patString = `"(?:[^"\\\x00-\x1F]|\\.)*"`
	)
	words := func(state string) []Transition {
		return []Transition{
			on("Comma", `, `, state), on(tokSpace, ` `, state), on(tokString, patString, state),
			on("JSON", "`[^`\\x00-\\x1F]*`", state), on(tokWord, patWord, state),
			opens("OpenBrace", `\{`, "Braces", state),
			opens("OpenBracket", `\[`, "Brackets", state), on(tokPunct, `[()|=?:*@~]`, state),
		}
	}
	comment := func(state string) Transition {
		return opens("CommentOpen", ` \(`, "Comment", state)
	}
	return []State{
		tight("Root", "", on(tokName, name+"(?::"+name+")*", "Line"),
			on("QuotedName", patString, "Line")),
		tight("Line", "", append([]Transition{
			on("Description", ` (?:-|—) [^\x00-\x1F\x7F]+`, "Line"), on("Bar", ` \|`, "Line"),
			comment("Line")}, words("Line")...)...),
		tight("Braces", "", append(append([]Transition{comment("Braces")}, words("Braces")...),
			on("CloseBrace", `\}`, ""))...),
		tight("Brackets", "", append(words("Brackets"), on("CloseBracket", `\]`, ""))...),
		tight("Comment", "", on("CommentText", `[^()\x00-\x1F\x7F]+`, "Comment"),
			opens("InnerOpen", `\(`, "Comment", "Comment"), on("CommentClose", `\)`, "")),
	}
}()

// SignatureStates returns the table of states for the tokens of a signature, starting
// with the first.
func SignatureStates() []State { return slices.Clone(signatureStates) }

var (
	signatures      = &Grammar{table: tableOf(signatureStates)}
	signatureParser = parserOf[Signature](1)
)

// ReadSignature reads one signature. The error has the position of the first syntax
// error.
func ReadSignature(line string) (*Signature, error) {
	s := &scanner{reader: &reader{Grammar: signatures, text: line}, state: signatureStates[0].Name}
	var tokens []token
	for s.pos < len(line) {
		t := s.next()
		t.Pos.Line, t.Pos.Column = 1, t.start()+1
		tokens = append(tokens, t)
	}
	return parse(signatureParser, tokens)
}

// SignatureEBNF returns the grammar of signatures as text.
func SignatureEBNF() string {
	return "(* The signature of a tool, one line. *)\n\n" + signatureParser.String() + "\n"
}
