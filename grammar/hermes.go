package grammar

import (
	"cmp"
	"regexp"
)

// An Envelope is an object between tags. It contains the name of a tool and its
// arguments, in any order, and possibly members without a meaning.
//
//	<tool_call>
//	{"name": "f", "arguments": {"k": "v"}}
//	</tool_call>
type Envelope struct {
	Open    Token             `parser:"@Open '{'"`
	Members []*EnvelopeMember `parser:"( @@ ( ',' @@ )* )?"`
	End     Token             `parser:"@'}'"`
	Close   Token             `parser:"@Close"`
}

// An EnvelopeMember is the name, the arguments, or anything else. The arguments are an
// object, a string that contains one, or null for none.
type EnvelopeMember struct {
	NameKey *Token  `parser:"  @NameKey ':'"`
	Name    *String `parser:"  @@"`

	ArgumentsKey *Token  `parser:"| @ArgumentsKey ':'"`
	Object       *Object `parser:"  ( @@"`
	Encoded      *String `parser:"  | @@"`
	None         *Token  `parser:"  | @Item )"`

	Other *Value `parser:"| OtherKey ':' @@"`
}

var envelopeParser = parserOf[Envelope](0)

// envelopeBegins is what follows an opener that starts a call: that of this format, or
// of another format between the same tags.
var envelopeBegins = anchored(`[{\[]|<function=|<function name="`)

// hermes returns the format of envelopes between the given tags.
func hermes(open, closing string) *Grammar {
	const after = "after-envelope-member"
	key := append([]Transition{
		reads("NameKey", "name", "after-name-key"),
		reads("ArgumentsKey", "arguments", "after-arguments-key"),
		reads("ArgumentsKey", "parameters", "after-arguments-key"),
	}, jsonString("OtherKey", "after-other-key")...)
	states := append([]State{
		spaced("body", ExpectedName, on(tokPunct, `\{`, "first-envelope-key")),
		spaced("first-envelope-key", ExpectedKey, append(key, on(tokPunct, `\}`, "close"))...),
		spaced("envelope-key", ExpectedKey, key...),
		spaced("after-name-key", ExpectedColon, on(tokPunct, `:`, "name")),
		spaced("after-arguments-key", ExpectedColon, on(tokPunct, `:`, "arguments")),
		spaced("after-other-key", ExpectedColon, on(tokPunct, `:`, "other")),
		spaced("name", ExpectedValue, append(
			append([]Transition{fails(`""`, ExpectedName)}, jsonString(tokString, after)...),
			fails(`[{\[]`, ExpectedName), cut(patAnyWord), fails(patLiteral, ExpectedName))...),
		spaced("arguments", ExpectedValue, append(jsonString(tokString, after),
			opens(tokPunct, `\{`, "first-key", after), fails(`\[`, NotAnObject),
			cut(patAnyWord), on(tokItem, patNull, after), fails(patLiteral, NotAnObject))...),
		spaced("other", ExpectedValue, jsonValue(after)...),
		spaced(after, ExpectedComma,
			on(tokPunct, `,`, "envelope-key"), on(tokPunct, `\}`, "close")),
		closable(spaced("close", ExpectedClose,
			on(tokClose, regexp.QuoteMeta(closing), "close"), cut(prefixes(closing)))),
	}, jsonStates...)
	return &Grammar{
		framing:     framing{open, closing, envelopeBegins, `"`},
		states:      states,
		table:       tableOf(states),
		arguments:   after,
		productions: envelopeParser.String(),
		parse:       func(tokens []token) (tree, error) { return parse(envelopeParser, tokens) },
	}
}

// read implements tree. A key that is repeated is a fault, as are a missing name and
// arguments in a string that are not an object.
func (e *Envelope) read(c *content) (name, input string) {
	input = "{}"
	keys := map[bool]bool{} // of the name, and of the arguments
	for _, m := range e.Members {
		isName := m.NameKey != nil
		if t := cmp.Or(m.NameKey, m.ArgumentsKey); t != nil {
			if keys[isName] {
				c.fail(DuplicateKey, startOf(*t), endOf(*t))
			}
			keys[isName] = true
		}
		switch {
		case m.Name != nil:
			name = c.envelopeName(m.Name)
		case m.Object != nil:
			input = c.object(m.Object, true)
		case m.Encoded != nil:
			input = c.encoded(m.Encoded)
		}
	}
	if e.End.Value != "" && !keys[true] {
		c.stop = &fault{ExpectedName, startOf(e.End)}
	}
	return name, input
}

// envelopeName reads the value of the name.
func (c *content) envelopeName(s *String) string {
	at := startOf(s.Token) + 1
	if len(s.Token.Value)-2 > c.Limits.Name {
		c.stop = &fault{NameTooLong, at + c.Limits.Name}
	}
	return c.name(s.Text(), at, endOf(s.Token))
}

var onlySpace = regexp.MustCompile(`^[ \t\r\n]*$`)

// encoded reads arguments that are text in a string: one object, or nothing. What is wrong in
// them is at the string.
func (c *content) encoded(s *String) string {
	at, until := startOf(s.Token), endOf(s.Token)
	c.issues = append(c.issues, Issue{Coerced, at})
	text := s.Text()
	if onlySpace.MatchString(text) {
		return "{}"
	}
	v := readDocument(text, c.Limits.Depth+1)
	if v == nil || v.Object == nil {
		c.fail(NotAnObject, at, until)
		return ""
	}
	own := &content{reader: c.reader, arguments: c.arguments}
	input := own.object(v.Object, true)
	if own.fault != nil {
		c.fail(own.fault.code, at, until)
	}
	return input
}
