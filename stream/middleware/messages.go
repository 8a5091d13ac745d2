package middleware

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/manual"
)

// mediaOf lists the families of APIs that have their own shapes for users' images and
// files. In others they pass unchanged.
var mediaOf = map[string]manual.API{"chat completions": manual.ChatCompletions, "responses": manual.Responses, "messages": manual.Anthropic}

// rewriteMessages returns the messages in the wire format. A message in which nothing changes
// keeps its bytes; the others keep, in order, all members that are not content or
// calls.
func (d *dialect) rewriteMessages(raws [][]byte, objects []object, history manual.HistoryOptions, want *demand, set *toolset) ([][]byte, error) {
	messages := make([]manual.Message, len(raws))
	natives := make(map[string]bool) // ids of calls left to the upstream
	for i, raw := range raws {
		m := &messages[i]
		if err := d.readMessage(m, raw, objects[i], want, natives); err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
	}
	rewritten, err := history.Rewrite(set.catalog, messages)
	if err != nil {
		return nil, err
	}
	guard := history.Guard(set.catalog)
	out := make([][]byte, len(rewritten))
	for i := range rewritten {
		m := &rewritten[i]
		sources := m.Sources
		if len(sources) == 0 {
			// The manual, or results that stood in a message of another role.
			out[i] = object{{"role", quoted(d.role(m.Role))}, {d.content, d.contentForm(m, false)}}.appendTo(nil)
			continue
		}
		from := make([]object, len(sources))
		for k, n := range sources {
			from[k] = objects[n]
		}
		if history.NeutralizeUser && m.Role == manual.User {
			(&neutralizer{Guard: guard}).message(m)
		}
		if source := &messages[sources[0]]; len(sources) == 1 && m.Role == source.Role && reflect.DeepEqual(m.Parts, source.Parts) && reflect.DeepEqual(m.Extra, source.Extra) {
			out[i] = raws[sources[0]]
			continue
		}
		out[i] = d.messageOf(m, from).appendTo(nil)
	}
	return out, nil
}

// readMessage reads a message. What concerns only the upstream, such as a call of its
// own tool, becomes a part that is neither a call nor a result.
func (d *dialect) readMessage(m *manual.Message, raw []byte, o object, want *demand, natives map[string]bool) error {
	if d.parts {
		*m = geminiMessage(raw)
		return nil
	}
	if kind := o.get("type"); !o.has("role") && kind != nil && !isFunctionItem(kind) || natives[o.id("tool_call_id")] {
		*m = manual.Message{Role: o.text("role"), Parts: []manual.Part{{Kind: manual.Other, Raw: raw}}}
		if m.Role == manual.ToolRole {
			m.Role = "\x00" + m.Role // a role that nothing is merged into
		}
		return nil
	}
	calls, kept := o.array("tool_calls"), [][]byte(nil)
	calls = slices.DeleteFunc(calls, func(call []byte) bool {
		c := readObject(nil, call)
		if c.object(d.function) != nil && (!c.has("type") || c.text("type") == d.functionType) {
			return false
		}
		kept = append(kept, call)
		if id := c.id("id"); id != "" { // otherwise nobody knows its result
			natives[id] = true
		}
		return true
	})
	if kept != nil {
		o = slices.Clone(o).set("tool_calls", appendArray(nil, calls))
		raw = o.appendTo(nil)
	}
	if err := parseMessage(m, o, calls, raw); err != nil {
		return err
	}
	if kept != nil {
		if m.Extra == nil {
			m.Extra = make(map[string]json.RawMessage, 2)
		}
		m.Extra["tool_calls"] = appendArray(nil, kept)
	}
	markElements(m, o.array("content"), want, natives)
	return nil
}

// parseMessage reads a message with these calls as package manual does, in a fifth of
// the time and with exact keys: encoding/json takes a member Role for the role, which
// could turn a user into the system.
func parseMessage(m *manual.Message, o object, calls [][]byte, raw []byte) error {
	role := o.text("role")
	switch kind := o.get("type"); {
	case string(kind) == `"function_call"` && o.get("content") == nil:
		*m = manual.Message{Role: manual.Assistant, Parts: []manual.Part{{Kind: manual.Call, ID: o.id("call_id"), Name: o.text("name"), Input: json.RawMessage(o.get("arguments"))}}}
		return nil
	case string(kind) == `"function_call_output"` && o.only("type", "id", "call_id", "output", "status"):
		*m = manual.Message{Role: manual.ToolRole, Parts: []manual.Part{{Kind: manual.Result, ID: o.id("call_id"), Output: outputOf(o.get("output"))}}}
		return nil
	case role == manual.ToolRole && isAnswer(o):
		*m = manual.Message{Role: role, Parts: []manual.Part{{Kind: manual.Result, ID: o.id("tool_call_id"), Name: cmp.Or(o.text("tool_name"), o.text("name")), Output: outputOf(o.get("content"))}}}
		m.Extra = extraOf(o, "role", "content", "tool_calls", "tool_call_id", "name", "tool_name")
		return nil
	case role == manual.ToolRole || string(kind) == `"function_call_output"` || o.get("parts") != nil || o.get("toolInvocations") != nil:
		return json.Unmarshal(exact(o), m) // in a shape of another API
	}
	*m = manual.Message{Role: role, Extra: extraOf(o, "role", "content", "tool_calls", "function_call", "tool_call_id")}
	switch content := o.get("content"); {
	case content == nil || string(content) == "null":
	case isString(content):
		m.Parts = append(m.Parts, manual.Part{Kind: manual.Text, Text: unquoted(content)})
	case content[0] == '[':
		for _, raw := range readArray(nil, content) {
			p, err := parsePart(raw)
			if err != nil {
				return err
			}
			m.Parts = append(m.Parts, p)
		}
	default:
		return errors.New("the content of a message is a string or a list")
	}
	for _, call := range calls {
		c := readObject(nil, call)
		function := c.object("function")
		m.Parts = append(m.Parts, manual.Part{Kind: manual.Call, ID: c.id("id"), Name: function.text("name"), Input: json.RawMessage(function.get("arguments"))})
	}
	return nil
}

// parsePart reads an element of a content.
func parsePart(raw []byte) (manual.Part, error) {
	if isString(raw) {
		return manual.Part{Kind: manual.Text, Text: unquoted(raw)}, nil
	}
	o := readObject(nil, raw)
	if o == nil {
		return manual.Part{}, errors.New("a part of a message is an object")
	}
	switch kind := o.text("type"); kind {
	case "text", "input_text", "output_text":
		text := o.get("text")
		if text != nil && !isString(text) && string(text) != "null" {
			return manual.Part{}, errors.New("the text of a part is a string")
		}
		p := manual.Part{Kind: manual.Text, Text: unquoted(orEmpty(text))}
		if len(o) > 2 || kind != "text" {
			p.Raw = raw
		}
		return p, nil
	case "tool_use":
		return manual.Part{Kind: manual.Call, ID: o.id("id"), Name: o.text("name"), Input: json.RawMessage(o.get("input"))}, nil
	case "tool_result":
		if !o.only("type", "tool_use_id", "content", "is_error", "cache_control") { // it is in another API's form
			var m manual.Message
			err := json.Unmarshal(object{{"role", []byte(`"user"`)}, {"content", appendArray(nil, [][]byte{exact(o)})}}.appendTo(nil), &m)
			if err != nil || len(m.Parts) != 1 {
				return manual.Part{}, errors.Join(errors.New("a part of a message is an object"), err)
			}
			return m.Parts[0], nil
		}
		return manual.Part{Kind: manual.Result, ID: o.id("tool_use_id"), Output: outputOf(o.get("content")), Failed: string(o.get("is_error")) == "true"}, nil
	}
	return manual.Part{Kind: manual.Other, Raw: raw}, nil
}

// isAnswer reports whether a tool message has the usual form.
func isAnswer(o object) bool {
	for _, m := range o {
		switch m.key {
		case "toolName", "call_id", "toolCallId", "tool_use_id", "text", "output", "result", "error", "parts", "is_error", "isError", "id":
			return false
		}
	}
	return o.get("content") != nil && (o.has("tool_call_id") || isString(o.get("content")))
}

// extraOf returns the members of a message except some.
func extraOf(o object, read ...string) (extra map[string]json.RawMessage) {
	for _, m := range o {
		if slices.Contains(read, m.key) {
			continue
		}
		if extra == nil {
			extra = make(map[string]json.RawMessage, 2)
		}
		extra[m.key] = m.value
	}
	return extra
}

// exact returns an object without the members whose keys encoding/json would take
// for others.
func exact(o object) []byte {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool {
		return m.key != strings.ToLower(m.key) && m.key != "toolName" && m.key != "toolCallId" && m.key != "isError" && m.key != "toolInvocations" || strings.ContainsFunc(m.key, func(r rune) bool { return r > 0x7f })
	}).appendTo(nil)
}

// outputOf returns a tool's output as package manual takes it.
func outputOf(value []byte) any {
	switch {
	case isString(value):
		return unquoted(value)
	case value == nil || string(value) == "null":
		return ""
	}
	return json.RawMessage(value)
}

// messageOf returns a rewritten message, made from one or more messages of the request.
func (d *dialect) messageOf(m *manual.Message, sources []object) object {
	list := false
	for _, source := range sources {
		list = list || source.array(d.content) != nil
	}
	content := d.contentForm(m, list)
	role := quoted(d.role(m.Role))
	out := object{}
	put := func(key string, value []byte) {
		if out.get(key) == nil {
			out = append(out, member{key, value})
		}
	}
	for _, source := range sources {
		for _, member := range source {
			switch member.key {
			case "role":
				put("role", role)
			case d.content:
				put(d.content, content)
			default:
				if value, kept := m.Extra[member.key]; kept {
					put(member.key, value)
				}
			}
		}
	}
	put("role", role)
	put(d.content, content)
	return out
}

// contentForm returns the content of a message: a list if it was one or must be one,
// otherwise a string, which every server understands.
func (d *dialect) contentForm(m *manual.Message, list bool) []byte {
	plain := func(p manual.Part) bool { return p.Kind == manual.Text && p.Raw == nil }
	if !d.parts && !list && !slices.ContainsFunc(m.Parts, func(p manual.Part) bool { return !plain(p) }) {
		texts := make([]string, len(m.Parts))
		for i, p := range m.Parts {
			texts[i] = p.Text
		}
		return quoted(strings.Join(texts, "\n"))
	}
	var native, elements [][]byte
	for _, p := range m.Parts {
		if e := d.elementOf(m.Role, p); p.Kind == manual.Other && bytes.Contains(e, []byte(`"tool_result"`)) && readObject(nil, e).text("type") == "tool_result" {
			native = append(native, e) // the API wants them first
		} else {
			elements = append(elements, e)
		}
	}
	return appendArray(nil, append(native, elements...))
}

// elementOf returns a part of a list.
func (d *dialect) elementOf(role string, p manual.Part) []byte {
	switch {
	case p.Kind != manual.Text:
		return p.Raw
	case p.Raw != nil:
		return readObject(nil, p.Raw).set("text", quoted(p.Text)).appendTo(nil)
	}
	return d.text(role, p.Text)
}

// markElements keeps the prompt cache marks of the calls and results in a message whose
// content has these elements, and leaves calls of the upstream's own tools, and their
// results, to the upstream.
func markElements(m *manual.Message, elements [][]byte, want *demand, natives map[string]bool) {
	if len(elements) != len(m.Parts) { // a string, or a result as a whole
		return
	}
	var parts []manual.Part
	for i, p := range m.Parts {
		native := p.Kind == manual.Call && want.names[p.Name]
		if native && p.ID != "" {
			natives[p.ID] = true
		}
		if native || (p.Kind == manual.Call || p.Kind == manual.Result) && natives[p.ID] {
			p = manual.Part{Kind: manual.Other, Raw: elements[i]}
		}
		if p.Kind == manual.Call || p.Kind == manual.Result {
			p.Cache = readObject(nil, elements[i]).get("cache_control")
		}
		parts = append(parts, p)
	}
	m.Parts = parts
}

// A neutralizer neutralizes the strings of a message that stand in JSON: in documents,
// and beside a text, such as its citations and its speaker. Where a tag would begin in
// one and end in a later one, a line end separates them, whatever stands between: keys and
// types, which stay as they are, no model sees.
type neutralizer struct {
	lexeme.Guard
	open  string // what may begin a tag, at the end of an earlier text
	grown string // the same with later texts that go on with it
}

// message neutralizes a rewritten message, whose texts are neutralized already.
func (z *neutralizer) message(m *manual.Message) {
	m.Parts = slices.Clone(m.Parts)
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind == manual.Text {
			p.Text = z.apart(p.Text)
		}
		p.Raw = z.strings(p.Raw)
	}
	for key, value := range m.Extra {
		m.Extra[key] = z.strings(value)
	}
}

// strings returns JSON with its strings neutralized. Without a tag in one, it is the
// same bytes.
func (z *neutralizer) strings(raw []byte) []byte {
	var out []byte
	from, key := 0, ""
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end := stringEnd(raw, i)
		text := unquoted(raw[i:end])
		safe := z.Neutralize(text)
		if after := space(raw, end); after < len(raw) && raw[after] == ':' {
			key = text
		} else if key != "type" && key != "media_type" { // which the API reads, and no model
			safe = z.apart(safe)
		}
		if safe != text {
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

// apart returns text, separated from what earlier texts left open.
func (z *neutralizer) apart(text string) string {
	if z.Joins(z.open, text) || z.Joins(z.grown, text) {
		text = "\n" + text
	}
	end := text[max(0, len(text)-z.Longest()):]
	z.open = cmp.Or(z.Open(end), z.open)
	z.grown = cmp.Or(z.Open(z.grown+end), z.grown)
	return text
}

// instruct adds what the model is told in this request only: to the user's last
// message, because a system message that changes would void every prompt cache, or as a
// message of its own if the user did not speak last.
func (d *dialect) instruct(messages [][]byte, instruction string) [][]byte {
	if instruction == "" {
		return messages
	}
	if n := len(messages) - 1; n >= 0 {
		last := readObject(nil, messages[n])
		if content := last.get(d.content); last.text("role") == manual.User {
			messages = slices.Clone(messages)
			messages[n] = last.set(d.content, d.withText(content, instruction)).appendTo(nil)
			return messages
		}
	}
	return append(messages, d.message(manual.User, instruction))
}

// withText returns a user's content with a text after it.
func (d *dialect) withText(content []byte, text string) []byte {
	if d.parts {
		return appendArray(nil, append(geminiParts(content), d.text(manual.User, text)))
	}
	if elements := readArrayOf(content); elements != nil {
		return appendArray(nil, append(elements, d.text(manual.User, text)))
	}
	if !isString(content) {
		return quoted(text)
	}
	return quoted(manual.Merge(unquoted(content), text, manual.Last))
}

func readArrayOf(value []byte) [][]byte {
	if len(value) > 0 && value[0] == '[' {
		return readArray(nil, value)
	}
	return nil
}
