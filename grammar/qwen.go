package grammar

import (
	"regexp"
	"strings"
)

// A Function is a name and parameters between tags, without quotes and escapes.
//
//	<tool_call>
//	<function=f>
//	<parameter=k>
//	v
//	</parameter>
//	</function>
//	</tool_call>
//
// Rule: protocol.qwen3-coder
type Function struct {
	Open       Token                `parser:"@Open FunctionOpen"`
	Name       Token                `parser:"@Name End"`
	Parameters []*FunctionParameter `parser:"@@* FunctionClose"`
	Close      Token                `parser:"@Close"`
}

// A FunctionParameter is a key and a value, which is any text. The value ends at the
// first closing tag that structure follows: whitespace, and another parameter or the end
// of the function. One line end at its beginning and one at its end do not belong to it.
//
// Rule: protocol.raw-text
type FunctionParameter struct {
	Key  Token `parser:"ParameterOpen @Key End"`
	Text Token `parser:"@Text ParameterClose"`
}

var functionParser = parserOf[Function](0)

// stateText is the state in which raw text is read, which hides tags.
const stateText = "text"

// qwen returns the format of parameters between tags.
func qwen() *Grammar {
	const (
		open, closing = "<tool_call>", "</tool_call>"
		word          = `[^\x00-\x20\x7F<>]+`
		rawText       = `(?s:(.*?)</parameter>)[ \t\r\n]*(?:<parameter=|</function>)`
	)
	states := []State{
		spaced("body", ExpectedName, on("FunctionOpen", `<function=`, "name")),
		tight("name", ExpectedName, on(tokName, word, "after-name")),
		tight("after-name", BadName, on("End", `>`, "parameters")),
		spaced("parameters", ExpectedKey,
			on("ParameterOpen", `<parameter=`, "key"), on("FunctionClose", `</function>`, "close"),
			cut(prefixes(`<parameter=`)+"|"+prefixes(`</function>`))),
		tight("key", ExpectedKey, on(tokKey, word, "after-key")),
		tight("after-key", ExpectedKey, on("End", `>`, stateText)),
		tight(stateText, "", on("Text", rawText, "after-text"), on(tokUnclosed, `(?s:.*)`, atEnd)),
		tight("after-text", "", on("ParameterClose", `</parameter>`, "parameters")),
		closable(spaced("close", ExpectedClose,
			on(tokClose, regexp.QuoteMeta(closing), "close"), cut(prefixes(closing)))),
	}
	return &Grammar{
		framing:     framing{open, closing, envelopeBegins, ""},
		states:      states,
		table:       tableOf(states),
		productions: functionParser.String(),
		parse:       func(tokens []token) (tree, error) { return parse(functionParser, tokens) },
	}
}

// read implements tree. The same parameter again, directly after itself, is one
// more element of an array.
//
// Rule: protocol.repeated
func (f *Function) read(c *content) (name, input string) {
	if f.Name.Value != "" {
		name = c.name(f.Name.Value, f.Name.Value, startOf(f.Name), endOf(f.Name)+1)
	}
	all := &group{}
	for rest := f.Parameters; len(rest) > 0; {
		key, n := rest[0].Key, 1
		if key.Value == "" {
			break // a fault is in its place
		}
		for n < len(rest) && rest[n].Key.Value == key.Value {
			n++
		}
		at, until := startOf(key), endOf(key)+1
		c.argument(at, until)
		place := c.put(all, at, until, key.Value)
		if n == 1 {
			place.json = c.raw(rest[0], c.Limits.Depth)
		} else {
			var elements []string
			for _, p := range rest[:n] {
				elements = append(elements, c.raw(p, c.Limits.Depth-1))
			}
			place.json = array(elements)
		}
		rest = rest[n:]
	}
	return name, all.String()
}

// raw reads the value of a parameter, without the line ends that do not belong to it. It is
// ambiguous if it contains the beginning or end of a parameter.
//
// Rule: protocol.ambiguous-text
func (c *content) raw(p *FunctionParameter, depth int) string {
	text := p.Text.Value
	if strings.Contains(text, "</parameter>") || strings.Contains(text, "<parameter=") {
		c.issues = append(c.issues, Issue{AmbiguousText, startOf(p.Text)})
	}
	return c.untyped(strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n"), depth)
}
