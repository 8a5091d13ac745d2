package grammar

import (
	"strings"
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
	state := func(parts ...[]lexer.Rule) (all []lexer.Rule) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
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
		"Line":     state(line, comment, separators, words),
		"Braces":   state(comment, separators, words, closeBrace),
		"Brackets": state(separators, words, closeBracket),
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
	var b strings.Builder
	b.WriteString("(* The signature of a tool, one line. *)\n\n")
	b.WriteString(signatureParser().String())
	b.WriteString("\n")
	return b.String()
}

// String returns the signature as it was written.
func (s *Signature) String() string {
	w := signatureWriter{space: " "}
	w.WriteString(s.Name)
	if s.Classic {
		w.WriteByte(':')
		w.space = ", "
	}
	for i, p := range s.Alternatives {
		if i > 0 {
			w.WriteString(" |")
		}
		switch {
		case p.Object != nil:
			w.WriteByte(' ')
			w.object(p.Object)
		case len(p.Members) > 0:
			w.WriteByte(' ')
			w.members(p.Members)
		}
	}
	w.WriteString(s.Description)
	return w.Builder.String()
}

// signatureWriter writes a syntax tree.
type signatureWriter struct {
	strings.Builder
	space string // between members
}

func (w *signatureWriter) label(l *Label) {
	if l.At {
		w.WriteByte('@')
	}
	w.WriteString(l.Word + l.String)
}

func (w *signatureWriter) members(list []*Parameter) {
	for i, m := range list {
		if i > 0 {
			w.WriteString(w.space)
		}
		switch {
		case m.Rest:
			w.WriteByte('*')
		case m.Key != nil:
			w.label(m.Key)
		default:
			w.WriteString("~" + m.Pattern)
		}
		if m.Optional {
			w.WriteByte('?')
		}
		if m.Type != nil {
			w.WriteByte(':')
			w.union(m.Type)
		}
		if m.Default != nil {
			w.WriteByte('=')
			w.literal(m.Default)
		}
		if m.Comment != nil {
			w.WriteByte(' ')
			w.comment(m.Comment.Parts)
		}
	}
}

func (w *signatureWriter) union(u *UnionType) {
	for i, t := range u.Types {
		if i > 0 {
			w.WriteByte('|')
		}
		w.element(t.Element)
		w.WriteString(strings.Repeat("[]", len(t.Arrays)))
	}
}

func (w *signatureWriter) element(e *ElementType) {
	switch {
	case e.Object != nil:
		w.object(e.Object)
	case e.Group != nil:
		w.group(e.Group)
	case e.Literal != nil:
		w.literal(e.Literal)
	case e.Named != nil:
		w.WriteString("@" + e.Named.Name)
		if e.Named.Object != nil {
			w.object(e.Named.Object)
		}
		if e.Named.Group != nil {
			w.group(e.Named.Group)
		}
	case e.Tuple != nil:
		w.WriteByte('[')
		for i, t := range e.Tuple.Elements {
			if i > 0 {
				w.WriteString(w.space)
			}
			if t.Rest {
				w.WriteString("*:")
			}
			w.union(t.Type)
		}
		w.WriteByte(']')
	}
}

func (w *signatureWriter) object(o *ObjectType) {
	w.WriteByte('{')
	w.members(o.Members)
	w.WriteByte('}')
}

func (w *signatureWriter) group(u *UnionType) {
	w.WriteByte('(')
	w.union(u)
	w.WriteByte(')')
}

func (w *signatureWriter) literal(l *Literal) { w.WriteString(l.Word + l.String + l.JSON) }

func (w *signatureWriter) comment(parts []*CommentPart) {
	w.WriteByte('(')
	for _, p := range parts {
		w.WriteString(p.Text)
		if p.Nested {
			w.comment(p.Inner)
		}
	}
	w.WriteByte(')')
}
