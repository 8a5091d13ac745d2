package middleware

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/callwire/callwire/internal/engines"
	callformat "github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig/constrain"
)

// maxGrammar is how many bytes of a grammar are sent with each request. Engines have
// limits of their own, and report them.
const maxGrammar = 1 << 20

// A constraint is a member of a request, or the reason why there is none.
type constraint struct {
	key     string
	value   []byte
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
	return s.grammars.get(key, 1, most, func() (c constraint) {
		grammar, err := constrain.New(s.catalog, o)
		if err != nil {
			return constraint{problem: err.Error()}
		}
		c.key, c.value = engines.Member(opts.Constrain, grammar)
		if n := len(c.value); n > maxGrammar {
			c.problem = fmt.Sprintf("a grammar of %d bytes exceeds %d", n, maxGrammar)
		}
		return c
	})
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
		c.problem = "the history is on the server"
	case custom:
		return x.offer(body, string(c.value)), customTool
	case len(want.native) > 0: // no engine takes both
		c.problem = "the request has hosted tools"
	case own != "":
		c.problem = "the request has its own " + own
	}
	if c.problem != "" {
		x.warn("not constrained: " + c.problem)
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

// customTool is the name of the custom tool. No other tool should have it.
const customTool = "write_calls"

// offer adds the custom tool to a request, beside the upstream's own tools. Its input follows a
// grammar in Lark.
func (x *exchange) offer(body object, grammar string) object {
	d, want, tags := x.dialect, &x.want, x.opts.Manual.Tags
	tags = cmp.Or(tags, cmp.Or(x.opts.Manual.Format, callformat.Wire).Call)
	description := "The place for calls of the tools that the instructions explain. " +
		"Where these say to write calls in a reply, write them here: one or several, " +
		"each between " + tags.Open + " and " + tags.Close + "."
	tool := d.typed("custom", "name", customTool, "description", description,
		"format", d.typed("grammar", "syntax", "lark", "definition", grammar))
	body = body.With("tools", append(slices.Clone(want.native), tool.Append(nil)))
	if want.mode == required {
		body = setAt(body, d.choice.at, d.typed("custom", "name", customTool))
	}
	if want.one {
		body = setAt(body, d.serial, []byte(d.serialIs))
	}
	return body
}

// typed returns an object of a type. In chat completions its members are in an object under the
// name of the type.
func (d *dialect) typed(kind string, keysAndValues ...any) object {
	o := members(keysAndValues...)
	if d != responsesAPI {
		o = members(kind, o)
	}
	return append(members("type", kind), o...)
}
