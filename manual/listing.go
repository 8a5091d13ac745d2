package manual

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Formats other than the wire format list tools as the templates of their models do.

// listing returns the list of tools, and how to call them. It contains no tags of calls or results,
// and nothing invisible.
func (m *Manual) listing() string {
	p := &m.format.Prompt
	if p.Before == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(p.Before + "\n<tools>")
	for _, t := range m.catalog.Tools() {
		b.WriteByte('\n')
		if p.List == format.XMLList {
			b.WriteString(m.guard.Neutralize(listedXML(t)))
		} else {
			b.Write(m.listedJSON(t))
		}
	}
	b.WriteString("\n</tools>\n")
	example := parse.Call{Name: exampleName, Input: []byte(exampleInput)}
	call, _ := m.writeCall(sig.AnyTool, example, false, 0) // only some lists show one
	b.WriteString(strings.NewReplacer(
		"{open}", m.format.Call.Open, "{close}", m.format.Call.Close, "{call}", call,
	).Replace(p.After))
	return b.String()
}

// listedJSON returns a tool as APIs list it, with a space after each comma and colon.
func (m *Manual) listedJSON(t *sig.Tool) []byte {
	function := object("name", t.Name)
	if t.Description != "" {
		function = append(function, object("description", t.Description)...)
	}
	parameters := []byte(noParameters)
	if json.Valid(t.Schema) {
		parameters = t.Schema
	}
	function = append(function, object("parameters", parameters)...)
	return m.spaced(object("type", "function", "function", function.Append(nil)).Append(nil))
}

// spaced returns JSON with a space after each comma and colon, and without tags or invisible
// characters in its strings.
func (m *Manual) spaced(text []byte) (out []byte) {
	s := lexeme.Scanner{Text: text, Depth: len(text), Unpaired: true}
	isAfterValue := false
	var b []byte
	for t := s.Next(); t.Kind != 0; t = s.Next() {
		if isAfterValue && t.Kind != '}' && t.Kind != ']' {
			out = append(out, ", "...)
		}
		isAfterValue = t.Kind != '{' && t.Kind != '[' && t.Kind != 'k'
		if t.Kind != 'k' && t.Kind != 's' {
			out = append(out, text[t.Start:t.End]...)
			continue
		}
		b = s.AppendUnquoted(b[:0], t)
		out = append(out, sig.Visible(m.quoted(string(b)))...)
		if t.Kind == 'k' {
			out = append(out, ": "...)
		}
	}
	return out
}

// quoted returns text as a JSON string without tags: the first character of each is escaped, or
// the slash after it.
func (m *Manual) quoted(text string) string {
	out := []byte{'"'}
	from := 0
	for i := 0; i < len(text); i++ {
		if !m.guard.Begins(text[i:]) {
			continue
		}
		out = lexeme.AppendText(out, []byte(text[from:i]))
		from = i + 1
		if text[i+1] == '/' {
			out = append(out, text[i], '\\', '/')
			from++
		} else {
			r, n := utf8.DecodeRuneInString(text[i:])
			out = sig.AppendEscape(out, r)
			from = i + n
		}
		i = from - 1
	}
	out = lexeme.AppendText(out, []byte(text[from:]))
	return string(append(out, '"'))
}

// listedXML returns a tool as elements.
func listedXML(t *sig.Tool) string {
	var b strings.Builder
	element := func(name, text string) {
		b.WriteString("\n<" + name + ">" + text + "</" + name + ">")
	}
	b.WriteString("<function>")
	element("name", sig.Visible(t.Name))
	if t.Description != "" {
		element("description", sig.WithoutInvisible(t.Description))
	}
	b.WriteString("\n<parameters>")
	var required []string
	for i := 0; t.Args != nil && i < len(t.Args.Fields); i++ {
		f := &t.Args.Fields[i]
		b.WriteString("\n<parameter>")
		element("name", sig.Visible(f.Name))
		if f.Required {
			required = append(required, f.Name)
		}
		if typ := f.Type; typ != nil {
			element("type", typ.Kinds.String())
			if typ.Description != "" {
				element("description", sig.WithoutInvisible(typ.Description))
			}
			if len(typ.Enum) > 0 {
				list := make([]string, len(typ.Enum))
				for j, e := range typ.Enum {
					list[j] = string(e.JSON)
				}
				element("enum", sig.Visible("["+strings.Join(list, ", ")+"]"))
			}
		}
		b.WriteString("\n</parameter>")
	}
	if len(required) > 0 {
		list, _ := json.Marshal(required)
		element("required", sig.Visible(string(list)))
	}
	b.WriteString("\n</parameters>\n</function>")
	return b.String()
}
