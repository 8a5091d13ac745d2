package protocols

import (
	"regexp"

	"github.com/alecthomas/participle/v2"

	"github.com/callwire/callwire/grammar"
)

// An Envelope is an object between tags that holds the name of a tool and its
// arguments, in any order, and perhaps members that mean nothing.
//
//	<tool_call>
//	{"name": "f", "arguments": {"k": "v"}}
//	</tool_call>
type Envelope struct {
	Open    Token             `parser:"@Open '{'"`
	Members []*EnvelopeMember `parser:"( @@ ( ',' @@ )* )? '}'"`
	Close   Token             `parser:"@Close"`
}

// An EnvelopeMember is the name, the arguments, or anything else. The arguments are an
// object, a string that holds one, or null for none.
type EnvelopeMember struct {
	Name *String `parser:"  NameKey ':' @@"`

	Object  *Object `parser:"| ArgumentsKey ':' ( @@"`
	Encoded *String `parser:"                   | @@"`
	None    *Token  `parser:"                   | @Literal )"`

	Other Value `parser:"| Key ':' @@"`
}

// hermes returns the protocol of envelopes in the given tags.
func hermes(name, open, close string) *Protocol {
	all := jsonStates().with(spaced(states{
		"body": {grammar.ExpectedName, []rule{on("Punct", `\{`, "first-envelope-key")}},
		"first-envelope-key": {grammar.ExpectedKey, []rule{
			on("Punct", `\}`, "close"), on("Key", patString, "after-envelope-key"), on(unclosed, patUnclosed, "close")}},
		"envelope-key":       {grammar.ExpectedKey, []rule{on("Key", patString, "after-envelope-key"), on(unclosed, patUnclosed, "close")}},
		"after-envelope-key": {grammar.ExpectedColon, []rule{on("Punct", `:`, "other")}},
		"name": {grammar.ExpectedValue, []rule{
			on("String", patString, "after-envelope-member"), on(unclosed, patUnclosed, "close"),
			on("Punct", `[{\[]`, "close"), on("Literal", patWord, "close")}},
		"arguments": {grammar.ExpectedValue, []rule{
			on("Punct", `\{`, "first-key", "after-envelope-member"), on("Punct", `\[`, "close"),
			on("String", patString, "after-envelope-member"), on(unclosed, patUnclosed, "close"),
			on("Literal", patWord, "after-envelope-member")}},
		"other": {grammar.ExpectedValue, valueIn("after-envelope-member")},
		"after-envelope-member": {grammar.ExpectedComma, []rule{
			on("Punct", `,`, "envelope-key"), on("Punct", `\}`, "close")}},
		"close": {grammar.ExpectedClose, []rule{on("Close", regexp.QuoteMeta(close), "close")}},
	}, "body", "first-envelope-key", "envelope-key", "after-envelope-key", "name", "arguments", "other", "after-envelope-member", "close"))

	symbols := symbolsOf(all, "Open", "NameKey", "ArgumentsKey")
	parser := participle.MustBuild[Envelope](participle.Lexer(definition{symbols}), values, participle.UseLookahead(0))
	p := &Protocol{
		Name:        name,
		quote:       true,
		productions: parser.String(),
		states:      all,
		symbols:     symbols,
		tree:        treeOf(parser),
		newChecker:  func(r *reader) checker { return &envelopeChecker{r: r} },
	}
	return p.between(regexp.MustCompile(`^(`+regexp.QuoteMeta(open)+`)[ \t\r\n]*([{\[]|<function=|<function name=")`), close)
}

// An envelopeChecker checks an envelope.
type envelopeChecker struct {
	r         *reader
	member    string // the token of the key that was read last
	named     bool
	argued    bool
	nesting   int
	keys      keys // of the arguments
	arguments int
}

// judge tells the keys of the envelope apart, and words.
func (c *envelopeChecker) judge(t *placed) (name, next string) {
	switch {
	case t.name == "Key" && (t.state == "first-envelope-key" || t.state == "envelope-key"):
		c.member = "Key"
		switch grammar.Unquote(t.Value) {
		case "name":
			if !c.named {
				c.member = "NameKey"
			}
		case "arguments", "parameters":
			if !c.argued {
				c.member = "ArgumentsKey"
			}
		}
		return c.member, ""
	case t.state == "after-envelope-key" && t.Value == ":":
		switch c.member {
		case "NameKey":
			return "", "name"
		case "ArgumentsKey":
			return "", "arguments"
		}
	}
	return words{}.judge(t)
}

// check implements checker.
func (c *envelopeChecker) check(t *placed) (says, stop *fault) {
	switch {
	case t.name == "Punct" && (t.Value == "{" || t.Value == "["):
		if c.nesting++; c.nesting > c.r.limits.Depth+2 {
			return nil, &fault{code: grammar.TooDeep, at: t.start()}
		}
	case t.name == "Punct" && (t.Value == "}" || t.Value == "]"):
		if c.nesting--; c.nesting == 0 && !c.named {
			return nil, &fault{code: grammar.ExpectedName, at: t.start()}
		}
	}
	switch {
	case t.state == "name" && (t.Value == "{" || t.Value == "[" || t.Value == `""` || t.name == "Literal" && t.end() < len(c.r.text)):
		return nil, &fault{code: grammar.ExpectedName, at: t.start()}
	case t.state == "name" && (t.name == "String" || t.name == unclosed):
		limit := c.r.limits.Name
		at := t.start() + 1 + limit
		long := len(t.Value) > limit+2 || t.name == unclosed && len(t.Value) > limit+1
		if long && (c.r.text[at] != '\\' || c.r.illFormed(t.start(), at+1) == nil) { // no escape that cuts a character
			return nil, &fault{code: grammar.NameTooLong, at: at}
		}
		if name := t.Value; t.name == "String" && c.r.options.Known != nil && !c.r.options.Known(grammar.Unquote(name)) {
			return &fault{code: grammar.UnknownTool, at: t.start() + 1}, nil
		}
	case t.name == "NameKey":
		c.named = true
	case t.name == "ArgumentsKey":
		c.argued = true
	case t.name == "Key" && (t.state == "first-envelope-key" || t.state == "envelope-key"):
		switch grammar.Unquote(t.Value) {
		case "name", "arguments", "parameters":
			return &fault{code: grammar.DuplicateKey, at: t.start()}, nil
		}
	case t.state == "arguments" && t.name == "String":
		return c.encoded(t), nil
	case t.state == "arguments" && (t.name == "Literal" && t.Value != "null" && t.end() < len(c.r.text) || t.Value == "["):
		return nil, &fault{code: NotAnObject, at: t.start()}
	case c.member == "ArgumentsKey" && c.nesting > 1, len(c.keys) > 0:
		return c.argument(t, t.start()), nil
	}
	return nil, nil
}

// argument checks a token of the arguments.
func (c *envelopeChecker) argument(t *placed, at int) *fault {
	if t.name == "Key" && len(c.keys) == 1 {
		if c.arguments++; c.arguments > c.r.limits.Arguments {
			return &fault{code: grammar.TooManyArguments, at: at}
		}
	}
	if c.keys.read(t) {
		return &fault{code: grammar.DuplicateKey, at: at}
	}
	return nil
}

// encoded checks arguments that are text in a string: one object, or nothing.
func (c *envelopeChecker) encoded(t *placed) *fault {
	text := grammar.Unquote(t.Value)
	if space.MatchString(text) {
		return nil
	}
	d, tokens, _ := readDocument(text, c.r.limits.Depth+1)
	if d == nil || d.Object == nil {
		return &fault{code: NotAnObject, at: t.start()}
	}
	for i := range tokens {
		if f := c.argument(&tokens[i], t.start()); f != nil {
			return f
		}
	}
	return nil
}

var space = regexp.MustCompile(`^[ \t\r\n]*$`)

// said implements call.
func (e *Envelope) said(*reader) (name string, input []byte, issues []grammar.Issue) {
	input = []byte("{}")
	for _, m := range e.Members {
		switch {
		case m.Name != nil:
			name = grammar.Unquote(m.Name.Token.Value)
		case m.Object != nil:
			input = m.Object.json(nil)
		case m.Encoded != nil:
			at := m.Encoded.Token.Pos.Offset
			issues = append(issues, grammar.Issue{Code: Coerced, At: at})
			if d, _, _ := readDocument(grammar.Unquote(m.Encoded.Token.Value), grammar.MaxDepth); d != nil {
				input = d.json(nil)
			}
		}
	}
	return name, input, issues
}
