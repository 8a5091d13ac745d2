package middleware

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/callwire/callwire/internal/engines"
	callformat "github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain"
)

// maxGrammar is how many bytes of a grammar are sent with each request. Engines have
// limits of their own, and report them.
const maxGrammar = 1 << 20

// A constraint is a member of a request, or the reason why there is none.
type constraint struct {
	key     string
	value   []byte
	tags    parse.Tags // of the calls
	problem string
}

// constraint returns the constraint for a request, which is made once.
func (s *toolset) constraint(want *demand, opts *Options) constraint {
	o := constrain.Options{
		Tools: want.allowed, Last: want.one, Tags: opts.Manual.Tags, Form: opts.Manual.Form,
	}
	if f := opts.Manual.Format; f != nil && f != callformat.Wire {
		o.Format, o.Tags = f, callformat.Tags{} // it has its own
	}
	o.Bare = opts.Constrain == engines.Custom
	o.Required = want.mode == required || o.Bare
	// No tools differs from all tools.
	key := fmt.Sprintf("%t %t %t %q", o.Required, o.Last, o.Tools == nil, o.Tools)
	const most = 64 // subsets of the tools
	return s.grammars.get(key, 1, most,
		func() constraint { return newConstraint(s.catalog, o, opts.Constrain) })
}

func newConstraint(catalog *sig.Catalog, o constrain.Options, engine string) (c constraint) {
	grammar, err := constrain.New(catalog, o)
	if err != nil {
		return constraint{problem: "not constrained: " + err.Error()}
	}
	c.tags = cmp.Or(o.Tags, cmp.Or(o.Format, callformat.Wire).Call)
	c.key, c.value = engines.Member(engine, grammar)
	if len(c.value) > maxGrammar {
		return constraint{problem: fmt.Sprintf("not constrained: a grammar of %d bytes exceeds %d",
			len(c.value), maxGrammar)}
	}
	return c
}

// constrain puts the grammar of the tools into a request, if the upstream takes one and the
// request doesn't have its own. It returns the name of the custom tool, if one is offered.
func (x *exchange) constrain(body object, set *toolset) (rewritten object, tool string) {
	d, want := x.dialect, &x.want
	custom := x.opts.Constrain == engines.Custom
	applies := d == chatAPI || custom && d == responsesAPI
	if x.opts.Constrain == "" || !applies || set.catalog == nil || want.mode == none {
		return body, ""
	}
	c := set.constraint(want, &x.opts)
	own := constraintOf(body)
	switch {
	case c.problem != "":
	case custom && (body.Has("previous_response_id") || body.Has("conversation")):
		c.problem = "not constrained: the history is on the server"
	case custom:
		return d.offer(body, want, string(c.value), c.tags)
	case len(want.native) > 0: // no engine takes both
		c.problem = "not constrained: the request has hosted tools"
	case own != "":
		c.problem = "not constrained: the request has its own " + own
	}
	if c.problem != "" {
		x.warn(c.problem)
		return body, ""
	}
	return body.Set(c.key, c.value), ""
}

// constraintOf returns the member by which a chat completions request restricts what
// may be written, or "". No engine takes two of them.
func constraintOf(body object) string {
	keys := [...]string{"grammar", "json_schema", "structured_outputs", "ebnf", "regex"}
	for _, key := range keys {
		if body.Has(key) {
			return key
		}
	}
	const key = "response_format"
	if body.Has(key) && body.Object(key).Text("type") != "text" {
		return key
	}
	return ""
}

// OpenAI's models follow a grammar only in custom tools. A request offers one, which
// replaces all functions: its input is calls as they are written in text. If a
// response calls it, the input becomes text of the message before anything else reads
// the response. Responses whose history is on the server are not constrained.

// customTool returns the declaration of a custom tool whose input follows a grammar, in Lark.
func (d *dialect) customTool(name, grammar string, tags parse.Tags) []byte {
	description := "The place for calls of the tools that the instructions explain. " +
		"Where these say to write calls in a reply, write them here: one or several, " +
		"each between " + tags.Open + " and " + tags.Close + "."
	format := members("syntax", "lark", "definition", grammar)
	if d != responsesAPI {
		format = members("grammar", format)
	}
	format = append(members("type", "grammar"), format...)
	return d.custom("name", name, "description", description, "format", format).Append(nil)
}

// custom returns a custom tool, or the choice of one.
func (d *dialect) custom(keysAndValues ...any) object {
	o := members(keysAndValues...)
	if d != responsesAPI {
		o = members("custom", o)
	}
	return append(members("type", "custom"), o...)
}

// offer adds a custom tool to a request, beside the upstream's own tools, and returns its name.
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
	tools := append(slices.Clone(want.native), d.customTool(name, grammar, tags))
	body = body.With("tools", tools)
	if want.mode == required {
		body = setAt(body, d.choice.at, d.custom("name", name))
	}
	if want.one {
		body = setAt(body, d.serial, []byte(d.serialIs))
	}
	return body, name
}
