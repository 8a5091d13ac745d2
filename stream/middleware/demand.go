package middleware

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/manual"
)

// demand is what a request asks for, as far as this package is concerned.
type demand struct {
	tools   [][]byte // functions declared, each as a tool
	native  [][]byte // other tools, left to the upstream
	names   []string // of those
	strict  []string // functions whose arguments must fit
	mode    mode
	allowed []string      // the functions that may be called; nil: all
	hosted  []string      // other tools that may be called beside those
	one     bool          // at most one call in a message
	format  *answerFormat // of the answer, if the request asks for one
	n       int           // choices
	streams bool
	history bool // the conversation has calls or results of functions

	// The conversation, as it is and as it was read.
	raws     [][]byte
	messages []manual.Message
}

// mode is the meaning of tool_choice.
type mode uint8

const (
	foreign mode = iota // not understood
	auto
	none
	required
	named   // a call of a given tool
	allowed // some of the tools
)

// read reads the conversation and what a request asks for. If it must stay unchanged, it
// returns the reason.
func (x *exchange) read(body object) (reason string) {
	d, want := x.dialect, &x.want
	reason = repeats(body)
	if reason != "" && !x.rescues {
		return reason
	}
	for _, r := range d.refused {
		if body.Has(r.key) && (r.only == "" || string(body.Get(r.key)) == r.only) {
			return r.reason
		}
	}
	if body.Has("tools") {
		tools := body.Array("tools")
		if tools == nil {
			return "tools is not an array"
		}
		for _, raw := range tools {
			tool := rawjson.ParseObject(raw)
			kind := tool.Text("type")
			switch { // code that runs at the upstream calls some tools, or finds them
			case tool.Has("allowed_callers"):
				return "a tool has allowed_callers"
			case d.parts && tool.Has("function_declarations"):
				return snakeCase
			case kind == "tool_search" || strings.HasPrefix(kind, "tool_search_tool"):
				return "the upstream searches the tools"
			}
			d.tool(want, tool, raw)
		}
	}
	reason = x.readConversation(body)
	continues := d.system == "system" && body.Object("thread").Text("type") == "continue"
	switch {
	case continues && (want.history || len(want.tools) > 0):
		return lostThread
	case reason != "":
		return reason
	case len(want.tools) == 0 && !want.history:
		return "no tools"
	}
	var readable bool
	want.streams, readable = d.stream(x.req, body)
	if !readable {
		return "a stream of a kind that is not read"
	}
	want.one = d.serial != "" && string(at(body, d.serial)) == d.serialIs
	n, _ := strconv.Atoi(string(at(body, d.several)))
	want.n = max(1, n)
	if !d.readChoice(want, body) {
		return "a tool_choice that is not known"
	}
	if len(want.tools) > 0 && want.mode != none {
		want.format = d.formatOf(body)
		if want.format != nil && x.opts.KeepFormat {
			return "the form of the answer is left to the upstream"
		}
	}
	return ""
}

// tool adds a tool to those that are rewritten or to those that are not.
func (d *dialect) tool(want *demand, tool object, raw []byte) {
	if d.parts {
		for _, raw := range tool.Array(d.function) {
			o := rawjson.ParseObject(raw)
			if !o.Has("parameters") && !o.Has("parametersJsonSchema") { // it takes no arguments
				raw = o.Set("parameters", []byte(`{"type":"object","properties":{}}`)).Append(nil)
			}
			want.tools = append(want.tools, raw)
		}
		tool = tool.Without(d.function)
		if len(tool) > 0 {
			want.native = append(want.native, tool.Append(nil))
		}
		return
	}
	if f := d.functionOf(tool); f != nil {
		want.tools = append(want.tools, raw)
		if string(f.Get("strict")) == "true" {
			want.strict = append(want.strict, f.Text("name"))
		}
		return
	}
	want.native = append(want.native, raw)
	if name := tool.Text("name"); name != "" {
		want.names = append(want.names, name)
	}
}

// functionOf returns the declaration of a tool that is a function, nil otherwise.
func (d *dialect) functionOf(tool object) object {
	kind := tool.Get("type")
	hasType := kind != nil && string(kind) != "null"
	if hasType && tool.Text("type") != d.functionType {
		return nil
	}
	if d.schema != "" && tool.Object(d.schema) == nil {
		return nil
	}
	if d.function != "" {
		return tool.Object(d.function)
	}
	return tool
}

// readChoice reads the tool choice, and reports whether it is understood.
func (d *dialect) readChoice(want *demand, body object) bool {
	c := &d.choice
	value := at(body, c.at)
	want.mode = auto
	if value == nil || string(value) == "null" {
		return true
	}
	if rawjson.IsString(value) {
		want.mode = c.words[rawjson.Unquote(value)]
		return want.mode != foreign && want.mode != named && want.mode != allowed
	}
	o := rawjson.ParseObject(value)
	want.mode = c.words[o.Text(c.word)]
	switch want.mode {
	case named:
		name := rawjson.Text(at(o, c.name))
		want.mode, want.allowed = required, []string{name}
		return name != ""
	case allowed:
		if inner := o.Object("allowed_tools"); inner != nil {
			o = inner
		}
		want.mode = c.words[o.Text("mode")]
		isKnown := want.mode == auto || want.mode == required
		for _, raw := range o.Array("tools") {
			tool := rawjson.ParseObject(raw)
			if f := d.functionOf(tool); f != nil {
				want.allowed = append(want.allowed, f.Text("name"))
			} else {
				want.hosted = append(want.hosted, cmp.Or(tool.Text("name"),
					tool.Object("custom").Text("name"), tool.Text("type")))
			}
		}
		if want.allowed == nil && isKnown { // the choice is only about the upstream's tools
			want.mode = none
		}
		return isKnown
	case required, auto:
		for _, raw := range o.Array("allowedFunctionNames") {
			want.allowed = append(want.allowed, rawjson.Text(raw))
		}
	}
	return want.mode != foreign
}

// formatOf returns the form of the answer that a request asks for, or nil.
func (d *dialect) formatOf(body object) (format *answerFormat) {
	for _, f := range d.formats {
		value := at(body, f.at)
		if rawjson.IsNull(value) || string(value) == `""` {
			continue
		}
		inner := rawjson.ParseObject(value)
		kind := inner.Text("type") + rawjson.Text(value)
		if f.plain != "" && kind == f.plain {
			continue
		}
		if format == nil {
			format = &answerFormat{}
		}
		switch {
		case inner == nil:
		case f.schema == "":
			format.schema = value
		default:
			format.schema = at(inner, f.schema)
		}
	}
	if format == nil {
		return nil
	}
	format.instruction = "When you answer without a call, write JSON and nothing else: " +
		"no other text and no code fence."
	if format.schema != nil {
		format.instruction += " It fits this schema: " +
			unseen.Escape(string(rawjson.Compact(format.schema)))
	}
	return format
}

// isFunctionItem reports whether kind is the type of an item that is a function call or
// its result.
func isFunctionItem(kind []byte) bool {
	return string(kind) == `"function_call"` || string(kind) == `"function_call_output"`
}

// instruction returns the instructions for this request only, "" if it is free to choose.
func (d demand) instruction() string {
	list := slices.Concat(d.allowed, d.hosted)
	names := unseen.Escape(strings.Join(list, ", "))
	switch {
	case d.mode == none && d.history:
		return "Call no tool."
	case d.mode == none:
		return ""
	case d.mode == required && len(list) == 1:
		return "Answer with a call of the tool " + names + "."
	case d.mode == required && len(list) > 0:
		return "Answer with at least one call of these tools: " + names + "."
	case d.mode == required:
		return "Answer with at least one tool call."
	case len(list) > 0:
		return "Call no other tools than these: " + names + "."
	}
	return ""
}

// manual returns the manual and what goes with it in all requests of this kind.
func (d demand) manual(set *toolset) string {
	if d.mode == none || set.catalog == nil {
		return ""
	}
	text := set.manual.String()
	if d.one {
		text = paragraphs(text, "Write at most one call in a message.")
	}
	if d.format != nil {
		text = paragraphs(text, d.format.instruction)
	}
	return text
}

// paragraphs returns two texts with a blank line between them, or the second if the first is empty.
func paragraphs(text, next string) string {
	if text == "" {
		return next
	}
	return strings.TrimRight(text, "\n") + "\n\n" + next
}
