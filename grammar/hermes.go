package grammar

import (
	"regexp"
	"strings"
)

// An Envelope is an object between tags. Its members are the name of a tool and its
// arguments, in any order, and possibly others without a meaning.
//
//	<tool_call>
//	{"name": "f", "arguments": {"k": "v"}}
//	</tool_call>
type Envelope struct {
	Open   Token   `parser:"@Open"`
	Object *Object `parser:"@@"`
	Close  Token   `parser:"@Close"`
}

var envelopeParser = parserOf[Envelope](0)

// envelopeBegins is what follows an opener that starts a call: that of this format, or
// of another format between the same tags.
var envelopeBegins = anchored(`[{\[]|<function=|<function name="`)

// hermes returns the format of envelopes between the given tags.
func hermes(open, closing string) *Grammar {
	states := append([]State{
		spaced("body", ExpectedName, opens(tokPunct, `\{`, "first-key", "close")),
		closable(spaced("close", ExpectedClose,
			on(tokClose, regexp.QuoteMeta(closing), "close"), cut(prefixes(closing)))),
	}, jsonStates...)
	return &Grammar{
		framing:     framing{open, closing, envelopeBegins, `"`},
		states:      states,
		table:       tableOf(states),
		arguments:   []string{"close", "after-member"},
		productions: envelopeParser.String(),
		parse:       func(tokens []token) (tree, error) { return parse(envelopeParser, tokens) },
	}
}

// read implements tree. A key that is repeated is a fault, as are a missing name and
// arguments that are not an object.
func (e *Envelope) read(c *content) (name, input string) {
	input = "{}"
	if e.Object == nil {
		return "", input
	}
	has := map[string]bool{}
	for _, m := range e.Object.Members {
		key := m.String.Text()
		if key == "parameters" {
			key = "arguments"
		}
		isName := key == "name"
		if !isName && key != "arguments" {
			continue
		}
		if has[key] {
			c.fail(DuplicateKey, startOf(m.String.Token), endOf(m.String.Token))
		}
		has[key] = true
		switch at, ok := m.Value.start(); {
		case !ok: // a fault is in its place
		case isName:
			name = c.envelopeName(m.Value, at)
		default:
			input = c.envelopeArguments(m.Value, at)
		}
	}
	if end := e.Object.Close; end.Value != "" && !has["name"] {
		c.halt(ExpectedName, startOf(end))
	}
	return name, input
}

// envelopeName reads the value of the name.
func (c *content) envelopeName(v *Value, at int) string {
	if v.String == nil || v.String.Text() == "" {
		c.halt(ExpectedName, at)
		return ""
	}
	quoted := v.String.Token.Value
	return c.name(v.String.Text(), quoted[1:len(quoted)-1], at+1, at+len(quoted))
}

// envelopeArguments reads the arguments: an object, a string that contains one, or null
// for none.
func (c *content) envelopeArguments(v *Value, at int) string {
	switch {
	case v.Object != nil:
		return c.object(v.Object, true)
	case v.String != nil:
		return c.encoded(v.String)
	case v.Bare == nil || v.Bare.Token.Value != "null":
		c.halt(NotAnObject, at)
	}
	return "{}"
}

// encoded reads arguments that are text in a string: one object, or nothing. What is wrong in
// them is at the string.
func (c *content) encoded(s *String) string {
	at, until := startOf(s.Token), endOf(s.Token)
	c.issues = append(c.issues, Issue{Coerced, at})
	text := s.Text()
	if strings.Trim(text, " \t\r\n") == "" {
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
