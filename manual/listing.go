package manual

import (
	"encoding/json"
	"strings"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/unseen"
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
	function := rawjson.Make("name", t.Name, "description", t.Description)
	if t.Description == "" {
		function = function[:1]
	}
	parameters := []byte(noParameters)
	if json.Valid(t.Schema) {
		parameters = t.Schema
	}
	function = append(function, rawjson.Make("parameters", parameters)...)
	listed := rawjson.Make("type", "function", "function", function.Append(nil)).Append(nil)
	return engine.AppendSpaced(nil, listed, func(text []byte) bool {
		return m.guard.Begins(string(text[:min(len(text), m.guard.Longest())]))
	})
}

// listedXML returns a tool as elements.
func listedXML(t *sig.Tool) string {
	var b strings.Builder
	element := func(name, text string) {
		b.WriteString("\n<" + name + ">" + text + "</" + name + ">")
	}
	b.WriteString("<function>")
	element("name", unseen.Escape(t.Name))
	if t.Description != "" {
		element("description", unseen.Remove(t.Description))
	}
	b.WriteString("\n<parameters>")
	var required []string
	for i := 0; t.Args != nil && i < len(t.Args.Fields); i++ {
		f := &t.Args.Fields[i]
		b.WriteString("\n<parameter>")
		element("name", unseen.Escape(f.Name))
		if f.Required {
			required = append(required, f.Name)
		}
		if typ := f.Type; typ != nil {
			element("type", typ.Kinds.String())
			if typ.Description != "" {
				element("description", unseen.Remove(typ.Description))
			}
			if len(typ.Enum) > 0 {
				list := make([]string, len(typ.Enum))
				for j, e := range typ.Enum {
					list[j] = string(e.JSON)
				}
				element("enum", unseen.Escape("["+strings.Join(list, ", ")+"]"))
			}
		}
		b.WriteString("\n</parameter>")
	}
	if len(required) > 0 {
		list, _ := json.Marshal(required)
		element("required", unseen.Escape(string(list)))
	}
	b.WriteString("\n</parameters>\n</function>")
	return b.String()
}
