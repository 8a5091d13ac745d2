package manual

import (
	"cmp"
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
		if text != "" {
			b.WriteString("\n<" + name + ">" + text + "</" + name + ">")
		}
	}
	list := func(name string, values []string) {
		if values != nil {
			element(name, unseen.Escape("["+strings.Join(values, ", ")+"]"))
		}
	}
	b.WriteString("<function>")
	element("name", unseen.Escape(t.Name))
	element("description", unseen.Remove(t.Description))
	b.WriteString("\n<parameters>")
	var required []string
	for i := 0; t.Args != nil && i < len(t.Args.Fields); i++ {
		f := &t.Args.Fields[i]
		if f.Required {
			required = append(required, quoted(f.Name))
		}
		typ := cmp.Or(f.Type, &sig.Type{Kinds: sig.Any})
		var literals []string
		for _, e := range typ.Enum {
			literals = append(literals, string(e.JSON))
		}
		b.WriteString("\n<parameter>")
		element("name", unseen.Escape(f.Name))
		element("type", typ.Kinds.String())
		element("description", unseen.Remove(typ.Description))
		list("enum", literals)
		b.WriteString("\n</parameter>")
	}
	list("required", required)
	b.WriteString("\n</parameters>\n</function>")
	return b.String()
}
