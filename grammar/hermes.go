package grammar

import "regexp"

// An Envelope is an object between tags. It contains the name of a tool and its
// arguments, in any order, and possibly members without a meaning.
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
// object, a string that contains one, or null for none.
type EnvelopeMember struct {
	Name *String `parser:"  NameKey ':' @@"`

	Object  *Object `parser:"| ArgumentsKey ':' ( @@"`
	Encoded *String `parser:"                   | @@"`
	None    *Token  `parser:"                   | @Item )"`

	Other Value `parser:"| OtherKey ':' @@"`
}

var envelopeProductions = productionsOf[Envelope]()

// envelopeBegins is what follows an opener that starts a call: that of this format, or
// of another format between the same tags.
var envelopeBegins = anchored(`[{\[]|<function=|<function name="`)

// hermes returns the format of envelopes between the given tags.
func hermes(name, open, closing string) *Grammar {
	states := append([]State{
		spaced("body", ExpectedName, on(tokPunct, `\{`, "first-envelope-key")),
		spaced("first-envelope-key", ExpectedKey,
			append(jsonString("OtherKey", "after-envelope-key"), on(tokPunct, `\}`, "close"))...),
		spaced("envelope-key", ExpectedKey, jsonString("OtherKey", "after-envelope-key")...),
		spaced("after-envelope-key", ExpectedColon, on(tokPunct, `:`, "other")),
		spaced("name", ExpectedValue, append(jsonString(tokString, "after-envelope-member"),
			on(tokPunct, `[{\[]`, "close"), on(tokItem, patLiteral, "close"))...),
		spaced("arguments", ExpectedValue, append(jsonString(tokString, "after-envelope-member"),
			opens(`\{`, "first-key", "after-envelope-member"), on(tokPunct, `\[`, "close"),
			on(tokItem, patLiteral, "after-envelope-member"))...),
		spaced("other", ExpectedValue, jsonValue("after-envelope-member")...),
		spaced("after-envelope-member", ExpectedComma,
			on(tokPunct, `,`, "envelope-key"), on(tokPunct, `\}`, "close")),
		spaced("close", ExpectedClose, on(tokClose, regexp.QuoteMeta(closing), "close")),
	}, jsonStates...)
	return &Grammar{
		name:   name,
		frame:  framing{open, closing, envelopeBegins, `"`},
		first:  "body",
		states: compile(states),
		cut:    map[string][]string{"close": {closing}},
		text:   statesText(envelopeProductions.text, states),
		parse:  envelopeProductions.parse,
		newChecker: func(r *reader) (checker, judge) {
			c := &envelopeChecker{r: r}
			return c, c.judge
		},
	}
}

// An envelopeChecker checks an envelope.
type envelopeChecker struct {
	r         *reader
	member    string // the token of the last envelope key
	named     bool
	argued    bool
	nesting   int
	keys      keySets // of the arguments
	arguments int
}

// judge classifies the keys of the envelope, and words.
func (c *envelopeChecker) judge(t *token) (name, next string) {
	switch {
	case t.name == "OtherKey":
		c.member = t.name
		switch key := Unquote(t.Value); {
		case key == "name" && !c.named:
			c.member = "NameKey"
		case (key == "arguments" || key == "parameters") && !c.argued:
			c.member = "ArgumentsKey"
		}
		return c.member, ""
	case t.state == "after-envelope-key" && t.Value == ":" && c.member == "NameKey":
		return "", "name"
	case t.state == "after-envelope-key" && t.Value == ":" && c.member == "ArgumentsKey":
		return "", "arguments"
	}
	return judgeWord(t)
}

// check implements checker.
func (c *envelopeChecker) check(tokens []token) (content, stop *fault) {
	t := &tokens[len(tokens)-1]
	switch {
	case t.is("{"), t.is("["):
		if c.nesting++; c.nesting > c.r.limits.Depth+2 {
			return nil, &fault{code: TooDeep, at: t.start()}
		}
	case t.is("}"), t.is("]"):
		if c.nesting--; c.nesting == 0 && !c.named {
			return nil, &fault{code: ExpectedName, at: t.start()}
		}
	}
	mayGoOn := t.end() == len(c.r.text)
	isLiteral := t.name == tokItem && t.Value != "null" && !mayGoOn
	switch {
	case t.state == "name":
		return c.name(t, mayGoOn)
	case t.name == "NameKey":
		c.named = true
	case t.name == "ArgumentsKey":
		c.argued = true
	case t.name == "OtherKey":
		switch Unquote(t.Value) {
		case "name", "arguments", "parameters":
			return &fault{code: DuplicateKey, at: t.start()}, nil
		}
	case t.state == "arguments" && t.name == tokString:
		return c.encoded(t), nil
	case t.state == "arguments" && (isLiteral || t.is("[")):
		return nil, &fault{code: NotAnObject, at: t.start()}
	case c.member == "ArgumentsKey" && c.nesting > 1, len(c.keys) > 0:
		return c.argument(t, t.start()), nil
	}
	return nil, nil
}

// name checks the value of the name.
func (c *envelopeChecker) name(t *token, mayGoOn bool) (content, stop *fault) {
	switch {
	case t.is("{"), t.is("["), t.Value == `""`, t.name == tokItem && !mayGoOn:
		return nil, &fault{code: ExpectedName, at: t.start()}
	case !t.isOneOf(tokString, tokUnclosed):
		return nil, nil
	}
	limit := c.r.limits.Name
	at := t.start() + 1 + limit
	// An escape at the limit could end before the limit if it cuts a character.
	if long := len(t.Value) > limit+2 || t.name == tokUnclosed && len(t.Value) > limit+1; long {
		if ill := c.r.checkUTF8(t.start(), at+1, nil); c.r.text[at] != '\\' || ill == nil {
			return nil, &fault{code: NameTooLong, at: at}
		}
	}
	if t.name == tokString && !c.r.knows(Unquote(t.Value)) {
		return &fault{code: UnknownTool, at: t.start() + 1}, nil
	}
	return nil, nil
}

// argument checks a token of the arguments.
func (c *envelopeChecker) argument(t *token, at int) *fault {
	if len(c.keys) == 1 && t.isKey() {
		if c.arguments++; c.arguments > c.r.limits.Arguments {
			return &fault{code: TooManyArguments, at: at}
		}
	}
	if c.keys.readJSON(t) {
		return &fault{code: DuplicateKey, at: at}
	}
	return nil
}

// encoded checks arguments that are text in a string: one object, or nothing.
func (c *envelopeChecker) encoded(t *token) *fault {
	text := Unquote(t.Value)
	if onlySpace.MatchString(text) {
		return nil
	}
	input, tokens, _ := readDocument(text, c.r.limits.Depth+1)
	if input == nil || input[0] != '{' {
		return &fault{code: NotAnObject, at: t.start()}
	}
	for i := range tokens {
		if f := c.argument(&tokens[i], t.start()); f != nil {
			return f
		}
	}
	return nil
}

var onlySpace = regexp.MustCompile(`^[ \t\r\n]*$`)

// read implements tree.
func (e *Envelope) read([]token, Limits) (name string, input []byte, issues []Issue) {
	input = []byte("{}")
	for _, m := range e.Members {
		switch {
		case m.Name != nil:
			name = m.Name.Text()
		case m.Object != nil:
			input = m.Object.json(nil)
		case m.Encoded != nil:
			issues = append(issues, Issue{Coerced, m.Encoded.Token.Pos.Offset})
			if encoded, _, _ := readDocument(m.Encoded.Text(), MaxDepth); encoded != nil {
				input = encoded
			}
		}
	}
	return name, input, issues
}
