package middleware

import (
	"slices"

	"github.com/callwire/callwire/lexer"
)

// OpenAI's models follow a grammar only in custom tools. A request offers one, which
// stands for all functions: its input is calls as they are written in text. If a
// response calls it, the input becomes text of the message before anything else reads
// the response.

// customTool returns the declaration of a custom tool whose input follows a grammar, in
// Lark.
func customTool(d *dialect, name, grammar string, delims lexer.Delims) []byte {
	description := "The place for calls of the tools that the instructions explain. Where these say to write calls in a reply, write them here: one or several, each between " + delims.Open + " and " + delims.Close + "."
	tool := object{{"name", quoted(name)}, {"description", quoted(description)}}
	format := object{{"syntax", []byte(`"lark"`)}, {"definition", quoted(grammar)}}
	kind := []byte(`"grammar"`)
	if d == responsesAPI {
		format = append(object{{"type", kind}}, format...)
		tool = append(object{{"type", customKind}}, tool...)
		return append(tool, member{"format", format.appendTo(nil)}).appendTo(nil)
	}
	wrapped := object{{"type", kind}, {"grammar", format.appendTo(nil)}}
	tool = append(tool, member{"format", wrapped.appendTo(nil)})
	return object{{"type", customKind}, {"custom", tool.appendTo(nil)}}.appendTo(nil)
}

var customKind = []byte(`"custom"`)

// offer adds a custom tool to a request, beside the upstream's own tools, and returns
// its name.
func (d *dialect) offer(body object, want *demand, grammar string, delims lexer.Delims) (object, string) {
	name := "call"
	for slices.ContainsFunc(want.native, func(raw []byte) bool {
		tool := readObject(nil, raw)
		return tool.text("name") == name || tool.object("custom").text("name") == name
	}) {
		name += "s"
	}
	body = body.set("tools", appendArray(nil, append(slices.Clone(want.native), customTool(d, name, grammar, delims))))
	if want.mode == required {
		chosen := object{{"name", quoted(name)}}
		if d != responsesAPI {
			chosen = object{{"custom", chosen.appendTo(nil)}}
		}
		body = body.setAt(d.choice.at, append(object{{"type", customKind}}, chosen...).appendTo(nil))
	}
	if want.one {
		body = body.setAt(d.serial, []byte(d.serialIs))
	}
	return body, name
}
