package protocol

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/relaxed"
	"github.com/callwire/callwire/sig"
)

// Prompt says how a prompt shows tools and results. Tags and their order come from the
// model's template; the sentences paraphrase it.
type Prompt struct {
	List List // what stands between the tags of the list, for each tool

	// Before and After stand around the list; if both are empty, there is no list. In
	// After, {open} and {close} are the tags of the protocol's frame, and {call} is a
	// call, so a copy with other tags shows its own.
	Before, After string

	Result Frame // around what a tool answered, on lines of their own
}

// List says how a tool is listed.
type List uint8

// The lists.
const (
	JSONList List = iota // {"type": "function", "function": {"name": …, "description": …, "parameters": …}}
	XMLList              // <function>, and in it elements for the same
)

// AppendTools appends the list of tools, and how to call them. Tool descriptions come
// out without tags of calls or results, and without anything invisible.
func (p Protocol) AppendTools(dst []byte, catalog *sig.Catalog) []byte {
	if catalog.Len() == 0 || p.Prompt.Before == "" {
		return dst
	}
	g := guard.New(p.Tags(catalog)...)
	dst = append(append(dst, p.Prompt.Before...), "\n<tools>"...)
	for _, t := range catalog.Tools() {
		dst = append(dst, '\n')
		if p.Prompt.List == XMLList {
			dst = append(dst, g.Neutralize(listedXML(t))...)
			continue
		}
		w := writer{p: &p}
		w.json(listedJSON(t))
		dst = append(dst, sig.Visible(string(w.out))...)
	}
	return append(append(dst, "\n</tools>\n"...), p.how()...)
}

// how returns how to call a tool.
func (p Protocol) how() string {
	marks := []string{"{open}", p.Frame.Open, "{close}", p.Frame.Close}
	if p.validate() == nil {
		w := writer{p: &p}
		marks = append(marks, "{call}", string(w.call("example_function_name", []byte(`{"example_parameter":"value"}`))))
	}
	return strings.NewReplacer(marks...).Replace(p.Prompt.After)
}

// listedJSON returns the tool as APIs list it, in compact form.
func listedJSON(t *sig.Tool) []byte {
	parameters := t.Schema
	if len(parameters) == 0 {
		parameters = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	if compact, _, err := (relaxed.Options{}).Parse(parameters); err == nil {
		parameters = compact
	}
	out := []byte(`{"type":"function","function":{"name":`)
	out = lexeme.AppendQuoted(out, t.Name)
	if t.Description != "" {
		out = lexeme.AppendQuoted(append(out, `,"description":`...), t.Description)
	}
	return append(append(append(out, `,"parameters":`...), parameters...), "}}"...)
}

// listedXML returns the tool as elements.
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
	if t.Args != nil {
		var required []string
		for i := range t.Args.Fields {
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
					for i, m := range typ.Enum {
						list[i] = string(m.JSON)
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
	}
	b.WriteString("\n</parameters>\n</function>")
	return b.String()
}

// ResultTags returns what stands before and after a tool's answer, on lines of their
// own.
func (p Protocol) ResultTags(string) (open, close string) {
	f := p.Prompt.Result
	if f == (Frame{}) {
		f = toolResponse
	}
	return f.Open, f.Close
}

// AppendResult appends the answer of the tool of that name, with the tags of every tool
// neutralized; see Tags and [guard.Guard].
func (p Protocol) AppendResult(dst []byte, name, result string) []byte {
	open, close := p.ResultTags(name)
	dst = append(append(dst, open...), '\n')
	dst = append(dst, guard.New(p.Tags(nil)...).Neutralize(result)...)
	return append(append(dst, '\n'), close...)
}

// Tags returns the tags that untrusted text must not contain: those around calls and
// around results, and those with which a call begins under Salvage. If calls are
// elements named after their tool, these are the tags of the tools in the catalog; if
// that is nil, all that a name can follow.
func (p Protocol) Tags(catalog *sig.Catalog) []string {
	open, close := p.ResultTags("")
	var tags []string
	for _, tag := range []string{p.Frame.Open, p.Frame.Close, p.Envelope.Function.Open, open, close} {
		if len(tag) > 1 {
			tags = append(tags, tag)
		}
	}
	if !p.tagged() {
		return tags
	}
	if catalog == nil {
		for c := range 256 {
			if lexeme.ClassOf(byte(c))&lexeme.NameStart != 0 {
				tags = append(tags, string([]byte{'<', byte(c)}), string([]byte{'<', '/', byte(c)}))
			}
		}
	}
	for _, t := range catalog.Tools() {
		tags = append(tags, "<"+t.Name, "</"+t.Name)
	}
	return tags
}

// toolResponse stands around a result unless the protocol says otherwise.
var toolResponse = Frame{"<tool_response>", "</tool_response>"}

// Extract returns the calls of p in text: their exact source, tags included, and what
// they say. It leaves out malformed calls. A nil catalog knows every tool.
func Extract(p parse.Protocol, catalog *sig.Catalog, text string) []parse.Segment {
	var calls []parse.Segment
	for _, s := range (parse.Options{Protocol: p}).Text(text, catalog) {
		if s.Kind == parse.Call {
			calls = append(calls, s)
		}
	}
	return calls
}

// anything has a tool that takes any arguments.
var anything = sync.OnceValue(func() *sig.Catalog {
	c, _ := sig.Compile(`[{"name": "xml"}]`)
	return c
})

// ReadXML returns the arguments in text, elements as [MorphXML] has them in a call of
// the tool of that name, typed by the tool's schema, and what does not fit it. Without
// a catalog it reads text without a schema. It is for XML that models write on its own;
// for chunks use a Reader. The error is a [*lexer.Error]. Offsets are offsets in text.
func ReadXML(catalog *sig.Catalog, tool, text string) (input []byte, issues []parse.Issue, err error) {
	if catalog == nil {
		catalog, tool = anything(), "xml"
	}
	if catalog.Lookup([]byte(tool)) == nil {
		return nil, nil, &lexer.Error{Code: lexer.UnknownTool, Tool: tool}
	}
	open := "<" + tool + ">"
	segs := parse.Options{Protocol: MorphXML}.Text(open+text+"</"+tool+">", catalog)
	switch s := segs[0]; {
	case s.Kind == parse.Malformed:
		if s.Err.Offset -= len(open); s.Err.Offset < 0 { // it is in the name
			s.Err.Offset = 0
			return nil, nil, s.Err
		}
		s.Err.Offset = min(s.Err.Offset, len(text))
		s.Err.Found = lexer.Excerpt([]byte(text[s.Err.Offset:]))
		return nil, nil, s.Err
	case s.Kind == parse.Prose: // no element can have that name
		return nil, nil, &lexer.Error{Code: lexer.BadName, Tool: tool}
	case len(segs) > 1: // the end tag stands in text
		return nil, nil, &lexer.Error{Code: lexer.ExpectedKey, Offset: s.End - len(open), Tool: tool}
	default:
		for i := range s.Issues {
			s.Issues[i].At -= len(open)
		}
		return s.Input, s.Issues, nil
	}
}
