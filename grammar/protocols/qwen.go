package protocols

import (
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2"

	"github.com/callwire/callwire/grammar"
)

// A Function is a name and parameters, between tags, without quotes and escapes.
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
	Open       Token        `parser:"@Open FunctionOpen"`
	Name       Token        `parser:"@Name End"`
	Parameters []*Parameter `parser:"@@* FunctionClose"`
	Close      Token        `parser:"@Close"`
}

// A Parameter is a key and a value, which is any text. The value ends at the first
// closer after which structure follows: whitespace, and another parameter or the end
// of the function. One line end at its beginning does not belong to it, and one at its
// end.
//
// Rule: protocol.raw-text
type Parameter struct {
	Key  Token `parser:"ParameterOpen @Key End"`
	Text Token `parser:"@Text ParameterClose"`
}

// qwen is the protocol of parameters between tags.
var qwen = func() *Protocol {
	const word = `[^\x00-\x20\x7F<>]+`
	all := spaced(states{
		"body":       {grammar.ExpectedName, []rule{on("FunctionOpen", `<function=`, "name")}},
		"parameters": {grammar.ExpectedKey, []rule{on("ParameterOpen", `<parameter=`, "key"), on("FunctionClose", `</function>`, "close")}},
		"close":      {grammar.ExpectedClose, []rule{on("Close", `</tool_call>`, "close")}},
	}, "body", "parameters", "close").with(states{
		"name":       {grammar.ExpectedName, []rule{on("Name", word, "after-name")}},
		"after-name": {grammar.BadName, []rule{on("End", `>`, "parameters")}},
		"key":        {grammar.ExpectedKey, []rule{on("Key", word, "after-key")}},
		"after-key":  {grammar.ExpectedKey, []rule{on("End", `>`, "text")}},
		"text": {"", []rule{
			on("Text", `(?s:(.*?)</parameter>)[ \t\r\n]*(?:<parameter=|</function>)`, "after-text"),
			on(unclosed, `(?s:.*)`, "close")}},
		"after-text": {"", []rule{on("ParameterClose", `</parameter>`, "parameters")}},
	})
	symbols := symbolsOf(all, "Open")
	parser := participle.MustBuild[Function](participle.Lexer(definition{symbols}), participle.UseLookahead(0))
	p := &Protocol{
		Name:        "qwen3-coder",
		tags:        map[string][]string{"parameters": {"<parameter=", "</function>"}, "close": {"</tool_call>"}},
		productions: parser.String(),
		states:      all,
		symbols:     symbols,
		tree:        treeOf(parser),
		newChecker:  func(r *reader) checker { return &functionChecker{r: r, keys: map[string]bool{}} },
	}
	return p.between(regexp.MustCompile(`^(<tool_call>)[ \t\r\n]*(<function=|[{\[]|<function name=")`), "</tool_call>")
}()

// A functionChecker checks a function.
type functionChecker struct {
	r    *reader
	word placed          // the name or key that was read last
	last string          // the parameter before
	keys map[string]bool // of the parameters
}

func (c *functionChecker) judge(*placed) (name, next string) { return "", "" }

// check implements checker. The same parameter again, directly after itself, is one
// more element of an array.
//
// Rule: protocol.repeated
func (c *functionChecker) check(t *placed) (says, stop *fault) {
	switch {
	case t.name == "Name" && len(t.Value) > c.r.limits.Name:
		return nil, &fault{code: grammar.NameTooLong, at: t.start() + c.r.limits.Name}
	case t.name == "Name" || t.name == "Key":
		c.word = *t
	case t.state == "after-name" && t.name == "End":
		if c.r.options.Known != nil && !c.r.options.Known(c.word.Value) {
			return &fault{code: grammar.UnknownTool, at: c.word.start()}, nil
		}
	case t.state == "after-key" && t.name == "End":
		key := c.word.Value
		if key == c.last {
			return nil, nil
		}
		c.last = key
		switch {
		case c.keys[key] && len(c.keys) < c.r.limits.Arguments:
			return &fault{code: grammar.DuplicateKey, at: c.word.start()}, nil
		case len(c.keys) >= c.r.limits.Arguments:
			return &fault{code: grammar.TooManyArguments, at: c.word.start()}, nil
		}
		c.keys[key] = true
	}
	return nil, nil
}

// said implements call.
func (f *Function) said(r *reader) (name string, input []byte, issues []grammar.Issue) {
	input = []byte("{")
	for i := 0; i < len(f.Parameters); {
		key := f.Parameters[i].Key.Value
		n := 1
		for i+n < len(f.Parameters) && f.Parameters[i+n].Key.Value == key {
			n++
		}
		if i > 0 {
			input = append(input, ',')
		}
		input = append(grammar.Quote(input, key), ':')
		depth := r.limits.Depth
		if n > 1 {
			input = append(input, '[')
			depth--
		}
		for j, p := range f.Parameters[i : i+n] {
			if j > 0 {
				input = append(input, ',')
			}
			input = append(input, untyped(p.text(), depth)...)
			if p.ambiguous() {
				issues = append(issues, grammar.Issue{Code: AmbiguousText, At: p.Text.Pos.Offset})
			}
		}
		if n > 1 {
			input = append(input, ']')
		}
		i += n
	}
	return f.Name.Value, append(input, '}'), issues
}

// text returns the value without the line ends that do not belong to it.
func (p *Parameter) text() string {
	return strings.TrimSuffix(strings.TrimPrefix(p.Text.Value, "\n"), "\n")
}

// ambiguous reports whether the value holds what begins or ends a parameter.
//
// Rule: protocol.ambiguous-text
func (p *Parameter) ambiguous() bool {
	return strings.Contains(p.Text.Value, "</parameter>") || strings.Contains(p.Text.Value, "<parameter=")
}

// untyped returns text as JSON, read without a schema: as what it says where that is a
// literal, or one array or object, else as a string.
//
// Rule: protocol.raw-typing
func untyped(text string, depth int) []byte {
	if literal.MatchString(text) {
		return []byte(text)
	}
	if d, _, duplicate := readDocument(text, depth); d != nil && !duplicate {
		return d.json(nil)
	}
	return grammar.Quote(nil, text)
}
