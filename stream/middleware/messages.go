package middleware

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/internal/lexeme"
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
func (d *dialect) rewriteMessages(raws [][]byte, objects []object, want *demand, set *toolset, opts *Options, warn func(*manual.HistoryError)) ([][]byte, error) {
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
			// The manual, or results that stood in a message of another role.
			out[i] = members("role", rawjson.Quote(d.role(m.Role)), d.content, d.contentForm(m, false)).Append(nil)
			continue
		}
		from := make([]object, len(sources))
		for k, n := range sources {
			from[k] = objects[n]
		}
		if !opts.KeepUserText && m.Role == manual.User {
			(&neutralizer{Guard: set.manual.Guard()}).message(m)
		}
		if source := &messages[sources[0]]; len(sources) == 1 && m.Role == source.Role && reflect.DeepEqual(m.Parts, source.Parts) && reflect.DeepEqual(m.Extra, source.Extra) {
			out[i] = raws[sources[0]]
			continue
		}
		out[i] = d.messageOf(m, from).Append(nil)
	}
	return out, nil
}

// readMessage reads a message. What concerns only the upstream, such as a call of its
// own tool, becomes a part that is neither a call nor a result.
func (d *dialect) readMessage(m *manual.Message, raw []byte, o object, want *demand, natives map[string]bool) error {
	if d.parts {
		return parseMessage(m, manual.Gemini, raw)
	}
	if kind := o.Get("type"); !o.Has("role") && kind != nil && !isFunctionItem(kind) || natives[o.ID("tool_call_id")] {
		*m = manual.Message{Role: o.Text("role"), Parts: []manual.Part{{Kind: manual.Other, Raw: raw}}}
		if m.Role == manual.ToolRole {
			m.Role = "\x00" + m.Role // a role that nothing is merged into
		}
		return nil
	}
	calls, kept := o.Array("tool_calls"), [][]byte(nil)
	calls = slices.DeleteFunc(calls, func(call []byte) bool {
		c := rawjson.ParseObject(call)
		if c.Object(d.function) != nil && (!c.Has("type") || c.Text("type") == d.functionType) {
			return false
		}
		kept = append(kept, call)
		if id := c.ID("id"); id != "" { // otherwise nobody knows its result
			natives[id] = true
		}
		return true
	})
	if kept != nil {
		o = slices.Clone(o).Set("tool_calls", rawjson.AppendArray(nil, calls))
		raw = o.Append(nil)
	}
	if err := parseMessage(m, apis[d.name], raw); err != nil {
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
	plain := func(p manual.Part) bool { return p.Kind == manual.Text && p.Raw == nil }
	if !d.parts && !list && !slices.ContainsFunc(m.Parts, func(p manual.Part) bool { return !plain(p) }) {
		texts := make([]string, len(m.Parts))
		for i, p := range m.Parts {
			texts[i] = p.Text
		}
		return rawjson.Quote(strings.Join(texts, "\n"))
	}
	var native, elements [][]byte
	for _, p := range m.Parts {
		if e := d.elementOf(m.Role, p); p.Kind == manual.Other && bytes.Contains(e, []byte(`"tool_result"`)) && rawjson.ParseObject(e).Text("type") == "tool_result" {
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

// A neutralizer neutralizes the strings of a message that stand in JSON: in documents,
// and beside a text, such as its citations and its speaker. Where a tag would begin in
// one and end in a later one, a line end separates them, whatever stands between: keys and
// types, which stay as they are, no model sees.
type neutralizer struct {
	guard.Guard
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
		end := rawjson.StringEnd(raw, i)
		text := rawjson.Unquote(raw[i:end])
		safe := z.Neutralize(text)
		if after := lexeme.SkipSpace(raw, end); after < len(raw) && raw[after] == ':' {
			key = text
		} else if key != "type" && key != "media_type" { // which the API reads, and no model
			safe = z.apart(safe)
		}
		if safe != text {
			out = append(out, raw[from:i]...)
			out = rawjson.AppendQuoted(out, safe)
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
		last := rawjson.ParseObject(messages[n])
		if content := last.Get(d.content); last.Text("role") == manual.User {
			messages = slices.Clone(messages)
			messages[n] = last.Set(d.content, d.withText(content, instruction)).Append(nil)
			return messages
		}
	}
	return append(messages, d.message(manual.User, instruction))
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

func readArrayOf(value []byte) [][]byte {
	if len(value) > 0 && value[0] == '[' {
		return rawjson.ParseArray(value)
	}
	return nil
}
