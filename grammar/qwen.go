package grammar

import "strings"

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

var functionProductions = productionsOf[Function]()

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
			on("ParameterOpen", `<parameter=`, "key"), on("FunctionClose", `</function>`, "close")),
		tight("key", ExpectedKey, on(tokKey, word, "after-key")),
		tight("after-key", ExpectedKey, on("End", `>`, stateText)),
		tight(stateText, "", on("Text", rawText, "after-text"), on(tokUnclosed, `(?s:.*)`, atEnd)),
		tight("after-text", "", on("ParameterClose", `</parameter>`, "parameters")),
		spaced("close", ExpectedClose, on(tokClose, closing, "close")),
	}
	return &Grammar{
		name:   "qwen3-coder",
		frame:  framing{open, closing, envelopeBegins, ""},
		first:  "body",
		states: compile(states),
		cut: map[string][]string{
			"parameters": {"<parameter=", "</function>"}, "close": {closing}},
		text:  statesText(functionProductions.text, states),
		parse: functionProductions.parse,
		newChecker: func(r *reader) (checker, judge) {
			return &functionChecker{r: r, keys: map[string]bool{}}, nil
		},
	}
}

// A functionChecker checks a function.
type functionChecker struct {
	r    *reader
	last string          // the parameter before
	keys map[string]bool // of the parameters
}

// check implements checker. The same parameter again, directly after itself, is one
// more element of an array.
//
// Rule: protocol.repeated
func (c *functionChecker) check(tokens []token) (content, stop *fault) {
	t := &tokens[len(tokens)-1]
	switch {
	case t.name == tokName && len(t.Value) > c.r.limits.Name:
		return nil, &fault{code: NameTooLong, at: t.start() + c.r.limits.Name}
	case t.name != "End":
		return nil, nil
	}
	word := &tokens[len(tokens)-2]
	if word.name == tokName {
		if !c.r.knows(word.Value) {
			return &fault{code: UnknownTool, at: word.start()}, nil
		}
		return nil, nil
	}
	key := word.Value
	if key == c.last {
		return nil, nil
	}
	c.last = key
	switch {
	case len(c.keys) >= c.r.limits.Arguments:
		return &fault{code: TooManyArguments, at: word.start()}, nil
	case c.keys[key]:
		return &fault{code: DuplicateKey, at: word.start()}, nil
	}
	c.keys[key] = true
	return nil, nil
}

// read implements tree.
func (f *Function) read(_ []token, limits Limits) (name string, input []byte, issues []Issue) {
	input = []byte("{")
	for rest := f.Parameters; len(rest) > 0; {
		key, n := rest[0].Key.Value, 1
		for n < len(rest) && rest[n].Key.Value == key {
			n++
		}
		input = append(Quote(comma(input), key), ':')
		if n == 1 {
			input = append(input, untyped(rest[0].text(), limits.Depth)...)
		} else {
			input = append(input, '[')
			for _, p := range rest[:n] {
				input = append(comma(input), untyped(p.text(), limits.Depth-1)...)
			}
			input = append(input, ']')
		}
		rest = rest[n:]
	}
	for _, p := range f.Parameters {
		if p.ambiguous() {
			issues = append(issues, Issue{AmbiguousText, p.Text.Pos.Offset})
		}
	}
	return f.Name.Value, append(input, '}'), issues
}

// text returns the value without the line ends that do not belong to it.
func (p *FunctionParameter) text() string {
	return strings.TrimSuffix(strings.TrimPrefix(p.Text.Value, "\n"), "\n")
}

// ambiguous reports whether the value contains the beginning or end of a parameter.
//
// Rule: protocol.ambiguous-text
func (p *FunctionParameter) ambiguous() bool {
	return strings.Contains(p.Text.Value, "</parameter>") ||
		strings.Contains(p.Text.Value, "<parameter=")
}
