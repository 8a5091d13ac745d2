package middleware

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/callwire/callwire/manual"
)

// sourceKey is the member that says, while a conversation is rewritten, which
// message of the request a message was made of. No JSON that makes sense has it.
const sourceKey = "\x00source"

// rewriteMessages returns the messages of a conversation in the wire format. A
// message that nothing in was changed is the same bytes; of the others all
// members that are not content or calls stay, in their order.
func rewriteMessages(raws [][]byte, history manual.HistoryOptions, set *toolset) ([][]byte, error) {
	messages := make([]manual.Message, len(raws))
	for i, raw := range raws {
		m := &messages[i]
		if err := json.Unmarshal(raw, m); err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		markBreakpoints(m, raw)
		if m.Extra == nil {
			m.Extra = make(map[string]json.RawMessage, 1)
		}
		m.Extra[sourceKey] = strconv.AppendInt(nil, int64(i), 10)
	}
	rewritten, err := history.Rewrite(set.catalog, messages)
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(rewritten))
	end := len(raws)
	for i := len(rewritten) - 1; i >= 0; i-- {
		m := &rewritten[i]
		from, err := strconv.Atoi(string(m.Extra[sourceKey]))
		if err != nil { // the manual, in a message of its own
			out[i] = object{{"role", quoted(m.Role)}, {"content", contentForm(m.Parts, false)}}.appendTo(nil)
			continue
		}
		out[i] = messageOf(m, raws[from:end], &messages[from], history)
		end = from
	}
	return out, nil
}

// messageOf returns the JSON of a rewritten message, made of one message of the
// request or of several.
func messageOf(m *manual.Message, raws [][]byte, source *manual.Message, history manual.HistoryOptions) []byte {
	parts := m.Parts
	if m.Role == manual.User && history.NeutralizeUser {
		parts = neutralizeOthers(parts, history)
	}
	if len(raws) == 1 && m.Role == source.Role && reflect.DeepEqual(parts, source.Parts) {
		return raws[0]
	}
	list := false
	for _, raw := range raws {
		list = list || readObject(nil, raw).array("content") != nil
	}
	out := object{{"role", quoted(m.Role)}, {"content", contentForm(parts, list)}}
	for i, raw := range raws {
		o := readObject(nil, raw)
		o = o.without("tool_calls", "tool_call_id")
		if o.text("role") == manual.ToolRole {
			o = o.without("name")
		}
		if i == 0 {
			if o.get("content") == nil {
				o = append(o, out[1])
			}
			out = o.set("role", out[0].value).set("content", out[1].value)
			continue
		}
		for _, member := range o {
			if out.get(member.key) == nil {
				out = append(out, member)
			}
		}
	}
	return out.appendTo(nil)
}

// contentForm returns a content: a list where it was one or must be one, else a
// string, which every server understands.
func contentForm(parts []manual.Part, list bool) []byte {
	plain := func(p manual.Part) bool { return p.Kind == manual.Text && p.Raw == nil }
	if !list && !slices.ContainsFunc(parts, func(p manual.Part) bool { return !plain(p) }) {
		var text []byte
		for i, p := range parts {
			if i > 0 {
				text = append(text, '\n')
			}
			text = append(text, p.Text...)
		}
		return quoted(text)
	}
	var elements [][]byte
	for _, p := range parts {
		if control := breakpointOf(p); control != nil {
			if n := len(elements); n > 0 {
				elements[n-1] = readObject(nil, elements[n-1]).set("cache_control", control).appendTo(nil)
			}
			continue
		}
		elements = append(elements, element(p))
	}
	return appendArray(nil, elements)
}

// element returns a part of a list.
func element(p manual.Part) []byte {
	switch {
	case p.Kind != manual.Text:
		return p.Raw
	case p.Raw != nil:
		return readObject(nil, p.Raw).set("text", quoted(p.Text)).appendTo(nil)
	}
	return object{{"type", []byte(`"text"`)}, {"text", quoted(p.Text)}}.appendTo(nil)
}

// A breakpoint is a mark on a block up to which a provider caches the prompt.
// Those on calls and results, which become text, are kept by a part of their own
// behind them while a conversation is rewritten.

const breakpointType = `"callwire-breakpoint"`

// markBreakpoints adds parts for the breakpoints of the calls and results of a
// message, of which raw is the JSON.
func markBreakpoints(m *manual.Message, raw []byte) {
	elements := readObject(nil, raw).array("content")
	if len(elements) != len(m.Parts) { // a string, or a result as a whole
		return
	}
	var parts []manual.Part
	for i, p := range m.Parts {
		parts = append(parts, p)
		if p.Kind != manual.Call && p.Kind != manual.Result {
			continue
		}
		if control := readObject(nil, elements[i]).get("cache_control"); control != nil {
			mark := object{{"type", []byte(breakpointType)}, {"cache_control", control}}
			parts = append(parts, manual.Part{Kind: manual.Other, Raw: mark.appendTo(nil)})
		}
	}
	m.Parts = parts
}

// breakpointOf returns the cache_control of a part that markBreakpoints added,
// nil of every other.
func breakpointOf(p manual.Part) []byte {
	if p.Kind != manual.Other || !bytes.Contains(p.Raw, []byte(breakpointType)) {
		return nil
	}
	if o := readObject(nil, p.Raw); string(o.get("type")) == breakpointType {
		return o.get("cache_control")
	}
	return nil
}

// neutralizeOthers returns the parts with the strings neutralised of those that
// are no text: documents and the like, which may hold texts of others.
func neutralizeOthers(parts []manual.Part, history manual.HistoryOptions) []manual.Part {
	out := slices.Clone(parts)
	for i, p := range out {
		if p.Kind == manual.Other {
			out[i].Raw = neutralizeStrings(p.Raw, history)
		}
	}
	return out
}

// neutralizeStrings returns JSON with its strings neutralised. Without a tag in
// one, it is the same bytes.
func neutralizeStrings(raw []byte, history manual.HistoryOptions) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end := stringEnd(raw, i)
		text := string(appendUnquoted(nil, raw[i:end]))
		if safe := manual.Neutralize(text, history.Delims); safe != text {
			out = append(out, raw[from:i]...)
			out = appendQuoted(out, safe)
			from = end
		}
		i = end - 1
	}
	if from == 0 {
		return raw
	}
	return append(out, raw[from:]...)
}

// instruct adds what the model is told in this request alone: to what the user
// said last, because a system message that changed would undo every cache of the
// prompt; or as a message, where the user did not speak last.
func instruct(messages [][]byte, instruction string) [][]byte {
	if instruction == "" {
		return messages
	}
	if n := len(messages) - 1; n >= 0 {
		last := readObject(nil, messages[n])
		if content := last.get("content"); last.text("role") == manual.User {
			messages = slices.Clone(messages)
			messages[n] = last.set("content", withText(content, instruction)).appendTo(nil)
			return messages
		}
	}
	message := object{{"role", quoted(manual.User)}, {"content", quoted(instruction)}}
	return append(messages, message.appendTo(nil))
}

// withText returns a content with a text behind it.
func withText(content []byte, text string) []byte {
	if elements := readArrayOf(content); elements != nil {
		return appendArray(nil, append(elements, element(manual.Part{Text: text})))
	}
	if !isString(content) {
		return quoted(text)
	}
	return quoted(manual.Merge(string(appendUnquoted(nil, content)), text, manual.Last))
}

func readArrayOf(value []byte) [][]byte {
	if len(value) > 0 && value[0] == '[' {
		return readArray(nil, value)
	}
	return nil
}
