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
	if d == responsesAPI {
		format := members("type", "grammar", "syntax", "lark", "definition", grammar)
		return members("type", "custom", "name", name, "description", description,
			"format", format).Append(nil)
	}
	format := members("type", "grammar",
		"grammar", members("syntax", "lark", "definition", grammar))
	return members("type", "custom", "custom", members("name", name,
		"description", description, "format", format)).Append(nil)
}

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
	body = body.With("tools", tools)
	if want.mode == required {
		chosen := members("type", "custom", "name", name)
		if d != responsesAPI {
			chosen = members("type", "custom", "custom", members("name", name))
		}
		body = setAt(body, d.choice.at, chosen)
	}
	if want.one {
		body = setAt(body, d.serial, []byte(d.serialIs))
	}
	return body, name
}
