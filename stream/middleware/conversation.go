package middleware

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

// apis are the shapes of messages, by the name of the dialect.
var apis = map[string]manual.API{
	"chat completions": manual.ChatCompletions, "responses": manual.Responses,
	"messages": manual.Anthropic, "generateContent": manual.Gemini, "ollama chat": manual.Ollama,
}

// rewriteMessages returns the messages in the wire format. A message in which nothing changes
// keeps its bytes; the others keep, in order, all members that are not content or
// calls.
func (d *dialect) rewriteMessages(
	raws [][]byte, objects []object,
	want *demand, set *toolset, opts *Options, warn func(*manual.HistoryError),
) ([][]byte, error) {
	messages := make([]manual.Message, len(raws))
	natives := make(map[string]bool) // ids of calls left to the upstream
	for i, raw := range raws {
		m := &messages[i]
		if err := d.readMessage(m, raw, objects[i], want, natives); err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
	}
	rewritten, errs := set.manual.Rewrite(messages)
	for _, err := range errs {
		warn(err)
	}
	if d.system == "" {
		rewritten = manual.AddPrompt(rewritten, want.manual(set), opts.Manual.Placement)
	}
	out := make([][]byte, len(rewritten))
	for i := range rewritten {
		m := &rewritten[i]
		sources := m.Sources
		if len(sources) == 0 {
			// The manual, or results that were in a message of another role.
			out[i] = members("role", rawjson.Quote(d.role(m.Role)),
				d.content, d.contentForm(m, false)).Append(nil)
			continue
		}
		from := make([]object, len(sources))
		for k, n := range sources {
			from[k] = objects[n]
		}
		if !opts.Manual.KeepUserText && m.Role == manual.User {
			(&neutralizer{Guard: set.manual.Guard()}).message(m)
		}
		if len(sources) == 1 && sameMessage(m, &messages[sources[0]]) {
			out[i] = raws[sources[0]]
			continue
		}
		out[i] = d.messageOf(m, from).Append(nil)
	}
	return out, nil
}

// sameMessage reports whether two messages have the same content.
func sameMessage(a, b *manual.Message) bool {
	return a.Role == b.Role && reflect.DeepEqual(a.Parts, b.Parts) &&
		reflect.DeepEqual(a.Extra, b.Extra)
}

// readMessage reads a message. Parts that concern only the upstream, such as a call of
// its own tool, become parts that are neither calls nor results.
func (d *dialect) readMessage(
	m *manual.Message, raw []byte, o object, want *demand, natives map[string]bool,
) error {
	if d.parts {
		return parseMessage(m, manual.Gemini, raw)
	}
	kind := o.Get("type")
	foreign := !o.Has("role") && kind != nil && !isFunctionItem(kind)
	if foreign || natives[o.ID("tool_call_id")] {
		*m = manual.Message{Role: o.Text("role"),
			Parts: []manual.Part{{Kind: manual.Other, Raw: raw}}}
		if m.Role == manual.ToolRole {
			m.Role = "\x00" + m.Role // a role that nothing is merged into
		}
		return nil
	}
	calls, kept := d.splitCalls(o.Array("tool_calls"), natives)
	if kept != nil {
		o = slices.Clone(o).Set("tool_calls", rawjson.AppendArray(nil, calls))
		raw = o.Append(nil)
	}
	err := parseMessage(m, apis[d.name], raw)
	if err != nil {
		return err
	}
	if kept != nil {
		if m.Extra == nil {
			m.Extra = make(map[string]json.RawMessage, 2)
		}
		m.Extra["tool_calls"] = rawjson.AppendArray(nil, kept)
	}
	markElements(m, o.Array("content"), want, natives)
	return nil
}

// splitCalls returns the calls of functions, and those that are left to the upstream. It
// adds the ids of the latter to natives.
func (d *dialect) splitCalls(all [][]byte, natives map[string]bool) (calls, kept [][]byte) {
	for _, raw := range all {
		call := rawjson.ParseObject(raw)
		hasType := !call.Has("type") || call.Text("type") == d.functionType
		if hasType && call.Object(d.function) != nil {
			calls = append(calls, raw)
			continue
		}
		kept = append(kept, raw)
		id := call.ID("id")
		if id != "" {
			natives[id] = true
		}
	}
	return calls, kept
}

// parseMessage reads a message of an API.
func parseMessage(m *manual.Message, api manual.API, raw []byte) (err error) {
	*m, err = api.ParseMessage(raw)
	return err
}

// messageOf returns a rewritten message, made from one or more messages of the request.
func (d *dialect) messageOf(m *manual.Message, sources []object) object {
	list := false
	for _, source := range sources {
		list = list || source.Array(d.content) != nil
	}
	content := d.contentForm(m, list)
	role := rawjson.Quote(d.role(m.Role))
	out := object{}
	put := func(key string, value []byte) {
		if out.Get(key) == nil {
			out = append(out, field(key, value))
		}
	}
	for _, source := range sources {
		for _, member := range source {
			switch member.Key {
			case "role":
				put("role", role)
			case d.content:
				put(d.content, content)
			default:
				if value, kept := m.Extra[member.Key]; kept {
					put(member.Key, value)
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
	isRich := func(p manual.Part) bool { return p.Kind != manual.Text || p.Raw != nil }
	if !d.parts && !list && !slices.ContainsFunc(m.Parts, isRich) {
		texts := make([]string, len(m.Parts))
		for i, p := range m.Parts {
			texts[i] = p.Text
		}
		return rawjson.Quote(strings.Join(texts, "\n"))
	}
	var native, elements [][]byte
	for _, p := range m.Parts {
		e := d.elementOf(m.Role, p)
		if p.Kind == manual.Other && rawjson.ParseObject(e).Text("type") == "tool_result" {
			native = append(native, e) // the API wants them first
		} else {
			elements = append(elements, e)
		}
	}
	return rawjson.AppendArray(nil, append(native, elements...))
}

// elementOf returns a part of a list.
func (d *dialect) elementOf(role string, p manual.Part) []byte {
	switch {
	case p.Kind != manual.Text:
		return p.Raw
	case p.Raw != nil:
		return rawjson.ParseObject(p.Raw).Set("text", rawjson.Quote(p.Text)).Append(nil)
	}
	return d.text(role, p.Text)
}

// markElements leaves calls of the upstream's own tools, and their results, to the upstream. The
// content of the message has these elements.
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
		parts = append(parts, p)
	}
	m.Parts = parts
}

// instruct adds instructions for this request only: to the user's last
// message, or as a separate message if the last one isn't the user's. Changing the
// system message instead would invalidate every prompt cache.
func (d *dialect) instruct(messages [][]byte, instruction string) [][]byte {
	if instruction == "" {
		return messages
	}
	n := len(messages) - 1
	if n < 0 || rawjson.ParseObject(messages[n]).Text("role") != manual.User {
		return append(messages, d.message(manual.User, instruction))
	}
	last := rawjson.ParseObject(messages[n])
	content := d.withText(last.Get(d.content), instruction)
	messages = slices.Clone(messages)
	messages[n] = last.Set(d.content, content).Append(nil)
	return messages
}

// withText returns a user's content with a text after it.
func (d *dialect) withText(content []byte, text string) []byte {
	if d.parts {
		return rawjson.AppendArray(nil, append(geminiParts(content), d.text(manual.User, text)))
	}
	if elements := rawjson.ParseArray(content); elements != nil {
		return rawjson.AppendArray(nil, append(elements, d.text(manual.User, text)))
	}
	if !rawjson.IsString(content) {
		return rawjson.Quote(text)
	}
	return rawjson.Quote(manual.Merge(rawjson.Unquote(content), text, manual.Last))
}
