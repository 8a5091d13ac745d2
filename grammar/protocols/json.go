package protocols

import (
	"maps"
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2"

	"github.com/callwire/callwire/grammar"
)

// This file holds the productions of RFC 8259, which several protocols share.

// A Value is a *String, an *Array, an *Object or a *Literal.
type Value interface {
	// json appends the value without whitespace.
	json([]byte) []byte
}

// A String stands in double quotes, and holds what RFC 8259 lets it. An escape that
// names no Unicode scalar value is literal text.
type String struct {
	Token Token `parser:"@String"`
}

// A Literal is a number, true, false or null.
type Literal struct {
	Token Token `parser:"@Literal"`
}

// An Array holds values.
type Array struct {
	Open  Token   `parser:"@'['"`
	Items []Value `parser:"( @@ ( ',' @@ )* )?"`
	Close Token   `parser:"@']'"`
}

// An Object holds members.
type Object struct {
	Open    Token     `parser:"@'{'"`
	Members []*Member `parser:"( @@ ( ',' @@ )* )?"`
	Close   Token     `parser:"@'}'"`
}

// A Member is a key and a value.
type Member struct {
	Key   Token `parser:"@Key ':'"`
	Value Value `parser:"@@"`
}

// values are the alternatives of a Value.
var values = participle.Union[Value](&String{}, &Array{}, &Object{}, &Literal{})

func (s *String) json(b []byte) []byte  { return grammar.Quote(b, grammar.Unquote(s.Token.Value)) }
func (l *Literal) json(b []byte) []byte { return append(b, l.Token.Value...) }

func (a *Array) json(b []byte) []byte {
	b = append(b, '[')
	for i, item := range a.Items {
		if i > 0 {
			b = append(b, ',')
		}
		b = item.json(b)
	}
	return append(b, ']')
}

func (o *Object) json(b []byte) []byte {
	b = append(b, '{')
	for i, m := range o.Members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(grammar.Quote(b, grammar.Unquote(m.Key.Value)), ':')
		b = m.Value.json(b)
	}
	return append(b, '}')
}

// The patterns of JSON.
const (
	patSpace    = `[ \t\r\n]+`
	patUnit     = `[^"\\\x00-\x1F]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4}`
	patString   = `"(?:` + patUnit + `)*"`
	patUnclosed = `"(?:` + patUnit + `)*`
	patWord     = `[0-9A-Za-z_+.\-]+`
)

// unit matches what belongs together in a string.
var unit = regexp.MustCompile(`^(?:` + patUnit + `)`)

// literal matches the words that are JSON.
var literal = regexp.MustCompile(`^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)$`)

// valueIn are the rules of a value. What is pushed follows it; empty where that was
// pushed before.
func valueIn(push ...string) []rule {
	after := ""
	if len(push) > 0 {
		after = push[0]
	}
	return []rule{
		on("", patSpace, "", ""), // replaced by spaced
		on("Punct", `\{`, "first-key", push...), on("Punct", `\[`, "first-item", push...),
		on("String", patString, after), on(unclosed, patUnclosed, after), on("Literal", patWord, after),
	}
}

// spaced returns the table with whitespace in front of all tokens of the states named.
func spaced(all states, names ...string) states {
	for _, name := range names {
		s := all[name]
		rules := []rule{on("", patSpace, name)}
		for _, r := range s.rules {
			if r.token != "" {
				rules = append(rules, r)
			}
		}
		s.rules = rules
		all[name] = s
	}
	return all
}

// jsonStates is the table of the states within a JSON value.
func jsonStates() states {
	return spaced(states{
		"first-key": {grammar.ExpectedKey, []rule{
			on("Punct", `\}`, ""), on("Key", patString, "after-key"), on(unclosed, patUnclosed, "after-key")}},
		"key":       {grammar.ExpectedKey, []rule{on("Key", patString, "after-key"), on(unclosed, patUnclosed, "after-key")}},
		"after-key": {grammar.ExpectedColon, []rule{on("Punct", `:`, "value")}},
		"value":     {grammar.ExpectedValue, valueIn("after-member")},
		"after-member": {grammar.ExpectedComma, []rule{
			on("Punct", `,`, "key"), on("Punct", `\}`, "")}},
		"first-item": {grammar.ExpectedValue, append(valueIn("after-item"), on("Punct", `\]`, ""))},
		"item":       {grammar.ExpectedValue, valueIn("after-item")},
		"after-item": {grammar.ExpectedComma, []rule{
			on("Punct", `,`, "item"), on("Punct", `\]`, "")}},
	}, "first-key", "key", "after-key", "value", "after-member", "first-item", "item", "after-item")
}

// with returns the table with more states.
func (all states) with(more states) states {
	maps.Copy(all, more)
	return all
}

// badString returns what is wrong with a string that is not closed, and where.
// Nothing is wrong with one that the text ends in.
func badString(t *placed, text string) *fault {
	rest := text[t.end():]
	if rest == "" || strings.HasPrefix(rest, `\`) && cutEscape.MatchString(rest) {
		return &fault{code: grammar.UnterminatedCall, at: len(text)}
	}
	return &fault{code: InvalidJSON, at: t.end()}
}

// cutEscape matches an escape that the text ends in.
var cutEscape = regexp.MustCompile(`^\\(?:u[0-9A-Fa-f]{0,3})?$`)

// A document is a whole JSON text: an object or an array.
type document struct {
	Object *Object `parser:"( @@"`
	Array  *Array  `parser:"| @@ )"`
}

func (d *document) json(b []byte) []byte {
	if d.Object != nil {
		return d.Object.json(b)
	}
	return d.Array.json(b)
}

// documents is the protocol of JSON texts.
var documents = func() *Protocol {
	all := jsonStates().with(spaced(states{
		"body": {grammar.ExpectedValue, valueIn("end")},
		"end":  {grammar.ExpectedClose, nil},
	}, "body", "end"))
	return &Protocol{states: all, symbols: symbolsOf(all)}
}()

var documentParser = participle.MustBuild[document](participle.Lexer(definition{documents.symbols}), values, participle.UseLookahead(0))

// readDocument reads a text that is one object or array, brackets nested no deeper
// than depth. duplicate says that a key is repeated in it.
func readDocument(text string, depth int) (d *document, tokens []placed, duplicate bool) {
	s := &scanner{p: documents, text: text, state: "body", judge: words{}}
	keys := keys{}
	for nesting := 0; ; {
		t := s.next()
		if t.name == "" {
			break
		}
		switch t.Value {
		case "{", "[":
			nesting++
		case "}", "]":
			nesting--
		}
		if nesting > depth {
			return nil, nil, false
		}
		duplicate = duplicate || keys.read(&t)
		tokens = append(tokens, t)
	}
	d, _ = parse(documentParser, tokens)
	if d == nil {
		return nil, nil, false
	}
	return d, tokens, duplicate
}

// words is a judge for which a literal is what JSON says.
type words struct{}

func (words) judge(t *placed) (name, next string) {
	if t.name == "Literal" && !literal.MatchString(t.Value) {
		return other, ""
	}
	return "", ""
}

// keys knows the keys of every open object; nil for an array.
type keys []map[string]bool

// read reports whether t is a key that its object has already.
func (k *keys) read(t *placed) (duplicate bool) {
	switch {
	case t.name == "Punct" && t.Value == "{":
		*k = append(*k, map[string]bool{})
	case t.name == "Punct" && t.Value == "[":
		*k = append(*k, nil)
	case t.name == "Punct" && (t.Value == "}" || t.Value == "]"):
		*k = (*k)[:len(*k)-1]
	case t.name == "Key":
		key, set := grammar.Unquote(t.Value), (*k)[len(*k)-1]
		duplicate = set[key]
		set[key] = true
	}
	return duplicate
}
