package grammar

import (
	"slices"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// signatureLexer has five states: the name, the line after it, braces, brackets,
// and the parentheses of a comment. A name may contain at signs, and colons except
// at its end. A parenthesis directly after a space begins a comment, except in
// brackets, where types follow spaces.
var signatureLexer = sync.OnceValue(func() *lexer.StatefulDefinition {
	const word = "[^\\s\\x00-\\x20\\x7F\"'`(){}\\[\\]|=?:,*~<>\\\\—]+"
	words := []lexer.Rule{
		{Name: "String", Pattern: `"(?:[^"\\\x00-\x1F]|\\.)*"`},
		{Name: "JSON", Pattern: "`[^`\\x00-\\x1F]*`"},
		{Name: "Word", Pattern: "[^\\s\\x00-\\x20\\x7F\"'`(){}\\[\\]|=?:,*@~<>\\\\—]+"},
		{Name: "OpenBrace", Pattern: `\{`, Action: lexer.Push("Braces")},
		{Name: "OpenBracket", Pattern: `\[`, Action: lexer.Push("Brackets")},
		{Name: "Punct", Pattern: `[()|=?:*@~]`},
	}
	separators := []lexer.Rule{
		{Name: "Comma", Pattern: `, `},
		{Name: "Space", Pattern: ` `},
	}
	comment := []lexer.Rule{{Name: "CommentOpen", Pattern: ` \(`, Action: lexer.Push("Comment")}}
	line := []lexer.Rule{
		{Name: "Description", Pattern: ` (?:-|—) [^\x00-\x1F\x7F]+`},
		{Name: "Bar", Pattern: ` \|`},
	}
	closeBrace := []lexer.Rule{{Name: "CloseBrace", Pattern: `\}`, Action: lexer.Pop()}}
	closeBracket := []lexer.Rule{{Name: "CloseBracket", Pattern: `\]`, Action: lexer.Pop()}}
	return lexer.MustStateful(lexer.Rules{
		"Root": {
			{Name: "Name", Pattern: word + "(?::" + word + ")*", Action: lexer.Push("Line")},
			{Name: "QuotedName", Pattern: words[0].Pattern, Action: lexer.Push("Line")},
		},
		"Line":     slices.Concat(line, comment, separators, words),
		"Braces":   slices.Concat(comment, separators, words, closeBrace),
		"Brackets": slices.Concat(separators, words, closeBracket),
		"Comment": {
			{Name: "CommentText", Pattern: `[^()\x00-\x1F\x7F]+`},
			{Name: "InnerOpen", Pattern: `\(`, Action: lexer.Push("Comment")},
			{Name: "CommentClose", Pattern: `\)`, Action: lexer.Pop()},
		},
	})
})

var signatureParser = sync.OnceValue(func() *participle.Parser[Signature] {
	return participle.MustBuild[Signature](
		participle.Lexer(signatureLexer()),
		participle.UseLookahead(1),
	)
})

// ReadSignature reads one signature. The error has the position of the first syntax
// error.
func ReadSignature(line string) (*Signature, error) {
	return signatureParser().ParseString("", line)
}

// SignatureEBNF returns the grammar of signatures as text.
func SignatureEBNF() string {
	return "(* The signature of a tool, one line. *)\n\n" + signatureParser().String() + "\n"
}

// SignatureStates returns the table of states for the tokens of a signature, starting
// with the first.
func SignatureStates() []State {
	rules := signatureLexer().Rules()
	var all []State
	for _, name := range []string{"Root", "Line", "Braces", "Brackets", "Comment"} {
		s := State{Name: name}
		for _, r := range rules[name] {
			t := Transition{Token: r.Name, Pattern: r.Pattern, Next: name}
			switch action := r.Action.(type) {
			case lexer.ActionPush:
				t.Next = action.State
				if name != "Root" {
					t.After = name
				}
			case lexer.ActionPop:
				t.Next = ""
			}
			s.Tokens = append(s.Tokens, t)
		}
		all = append(all, s)
	}
	return all
}
