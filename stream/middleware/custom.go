package middleware

import (
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/parse"
)

// OpenAI's models follow a grammar only in custom tools. A request offers one, which
// replaces all functions: its input is calls as they are written in text. If a
// response calls it, the input becomes text of the message before anything else reads
// the response.

// customTool returns the declaration of a custom tool whose input follows a grammar, in
// Lark.
func customTool(d *dialect, name, grammar string, tags parse.Tags) []byte {
	description := "The place for calls of the tools that the instructions explain. " +
		"Where these say to write calls in a reply, write them here: one or several, " +
		"each between " + tags.Open + " and " + tags.Close + "."
	tool := members("name", name, "description", description)
	format := members("syntax", "lark", "definition", grammar)
	kind := []byte(`"grammar"`)
	if d == responsesAPI {
		format = append(members("type", kind), format...)
		tool = append(members("type", customKind), tool...)
		return append(tool, field("format", format.Append(nil))).Append(nil)
	}
	wrapped := members("type", kind, "grammar", format.Append(nil))
	tool = append(tool, field("format", wrapped.Append(nil)))
	return members("type", customKind, "custom", tool.Append(nil)).Append(nil)
}

var customKind = []byte(`"custom"`)

// offer adds a custom tool to a request, beside the upstream's own tools, and returns
// its name.
func (d *dialect) offer(
	body object, want *demand, grammar string, tags parse.Tags,
) (object, string) {
	name := "call"
	for slices.ContainsFunc(want.native, func(raw []byte) bool {
		tool := rawjson.ParseObject(raw)
		return tool.Text("name") == name || tool.Object("custom").Text("name") == name
	}) {
		name += "s"
	}
	tools := append(slices.Clone(want.native), customTool(d, name, grammar, tags))
	body = body.Set("tools", rawjson.AppendArray(nil, tools))
	if want.mode == required {
		chosen := members("name", name)
		if d != responsesAPI {
			chosen = members("custom", chosen.Append(nil))
		}
		body = setAt(body, d.choice.at, append(members("type", customKind), chosen...).Append(nil))
	}
	if want.one {
		body = setAt(body, d.serial, []byte(d.serialIs))
	}
	return body, name
}
