package middleware

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
)

// readConversation reads the conversation, or returns why it cannot be rewritten.
func (x *exchange) readConversation(body object) (reason string) {
	want := &x.want
	want.raws = x.conversation(body)
	if want.raws == nil {
		return "no messages"
	}
	want.messages = make([]manual.Message, len(want.raws))
	natives := make(map[string]bool) // ids of calls left to the upstream
	for i, raw := range want.raws {
		o := rawjson.ParseObject(raw)
		reason = repeats(o)
		switch {
		case reason != "" && !x.rescues:
			return reason
		case o == nil:
			return "a message is not an object"
		case o.Has("function_call") || o.Text("role") == "function" && !o.Has("parts"):
			return "legacy functions"
		}
		m, err := x.readMessage(raw, o, want, natives)
		if err != nil {
			return fmt.Sprintf("message %d: %v", i, err)
		}
		want.messages[i] = m
		if d := x.dialect; d.parts && slices.ContainsFunc(m.Parts, inSnakeCase) {
			return snakeCase
		}
		want.history = want.history || slices.ContainsFunc(m.Parts, func(p manual.Part) bool {
			return p.Kind != manual.Text && p.Kind != manual.Other
		})
	}
	return ""
}

// rewriteMessages returns the messages in the wire format. A message in which nothing
// changes keeps its bytes.
func (x *exchange) rewriteMessages(set *toolset) ([][]byte, error) {
	rewritten, errs := set.manual.Rewrite(x.want.messages)
	for _, err := range errs {
		x.warn("a call cannot be written: " + err.Error())
	}
	if x.system == "" {
		rewritten = manual.AddPrompt(rewritten, x.want.manual(set), x.opts.Manual.PromptFirst)
	}
	var out [][]byte
	for _, m := range rewritten {
		if x.parts || x.system == "system" { // Gemini and Anthropic refuse what is empty
			m.Parts = slices.DeleteFunc(slices.Clone(m.Parts), isEmpty)
			if len(m.Parts) == 0 {
				continue
			}
		}
		if len(m.Sources) == 1 {
			from := x.want.messages[m.Sources[0]]
			isSame := m.Role == from.Role && reflect.DeepEqual(m.Parts, from.Parts)
			if isSame && maps.EqualFunc(m.Extra, from.Extra, slices.Equal) {
				out = append(out, x.want.raws[m.Sources[0]])
				continue
			}
		}
		raw, err := x.writeMessage(m)
		if err != nil {
			return nil, err
		}
		out = append(out, raw)
	}
	if x.dialect == responsesAPI {
		out = withoutOrphans(out)
	}
	return out, nil
}

// inSnakeCase reports whether a part is one of Gemini's calls or results in its other spelling.
func inSnakeCase(p manual.Part) bool {
	part := rawjson.ParseObject(p.Raw)
	return part.Has("function_call") || part.Has("function_response")
}

// isEmpty reports whether a part has nothing in it, as is left of a call that was cut off.
func isEmpty(p manual.Part) bool {
	return p.Kind == manual.Text && p.Text == "" && p.Raw == nil ||
		p.Kind == manual.Other && len(rawjson.ParseObject(p.Raw)) == 0
}

// withoutOrphans returns items of the Responses API without reasoning before a message that has no
// id. The API accepts reasoning only with the item that it produced, which it knows by its id. If
// that was a call, it has become text.
func withoutOrphans(items [][]byte) (out [][]byte) {
	reasoning := 0 // items that out ends with
	for _, raw := range items {
		item := rawjson.ParseObject(raw)
		if item.Has("role") && !item.Has("id") {
			out = out[:len(out)-reasoning]
		}
		out = append(out, raw)
		reasoning++
		if item.Text("type") != "reasoning" || !item.Has("id") {
			reasoning = 0
		}
	}
	return out
}

// withoutMadeUp returns items without the ids that the upstream doesn't know.
func withoutMadeUp(items [][]byte) [][]byte {
	for i, raw := range items {
		item := rawjson.ParseObject(raw)
		if strings.HasPrefix(item.Text("id"), madeUp) {
			items[i] = item.Without("id").Append(nil)
		}
	}
	return items
}

// readMessage reads a message. Parts that concern only the upstream, such as a call of its own
// tool, become parts that are neither calls nor results. Natives are the ids of such calls.
func (d *dialect) readMessage(
	raw []byte, o object, want *demand, natives map[string]bool,
) (m manual.Message, err error) {
	kind := o.Get("type")
	isForeign := !d.parts && !o.Has("role") && kind != nil && !isFunctionItem(kind)
	if isForeign || natives[o.ID("tool_call_id")] {
		m.Role, m.Parts = o.Text("role"), []manual.Part{{Kind: manual.Other, Raw: raw}}
		if m.Role == manual.ToolRole {
			m.Role = "\x00" + m.Role // a role that nothing is merged into
		}
		return m, nil
	}
	m, err = d.api.ParseMessage(raw)
	if err != nil || isFunctionItem(kind) { // calls of hosted tools are items of other types
		return m, err
	}
	var beside [][]byte // the content
	parts := m.Parts
	m.Parts = nil
	for _, p := range parts {
		isCall := p.Kind == manual.Call
		isNative := isCall && (slices.Contains(want.names, p.Name) || !d.isFunctionCall(p.Raw)) ||
			(isCall || p.Kind == manual.Result) && natives[p.ID]
		switch {
		case !isNative:
			m.Parts = append(m.Parts, p)
			continue
		case d.function == "function":
			beside = append(beside, p.Raw)
		default:
			m.Parts = append(m.Parts, manual.Part{Kind: manual.Other, Raw: p.Raw})
		}
		if p.ID != "" {
			natives[p.ID] = true
		}
	}
	if beside != nil {
		if m.Extra == nil {
			m.Extra = make(map[string]json.RawMessage, 1)
		}
		m.Extra["tool_calls"] = rawjson.AppendArray(nil, beside)
	}
	return m, nil
}

// isFunctionCall reports whether a call is one of a function, if it is beside the content.
func (d *dialect) isFunctionCall(raw []byte) bool {
	call := rawjson.ParseObject(raw)
	hasType := !call.Has("type") || call.Text("type") == d.functionType
	return d.function != "function" || hasType && call.Object(d.function) != nil
}

// writeMessage returns a rewritten message. Several plain texts become one, which every server
// understands, instead of a list.
func (d *dialect) writeMessage(m manual.Message) ([]byte, error) {
	if len(m.Sources) == 0 { // the manual, or results that were in a message of another role
		m = d.newMessage(m.Role, m.Parts...)
	}
	if d.schema != "" { // Anthropic wants results first
		m.Parts = slices.Clone(m.Parts)
		slices.SortStableFunc(m.Parts, func(a, b manual.Part) int {
			return nativeResults(b) - nativeResults(a)
		})
	}
	isRich := func(p manual.Part) bool { return p.Kind != manual.Text || p.Raw != nil }
	if !d.parts && !slices.ContainsFunc(m.Parts, isRich) {
		texts := make([]string, len(m.Parts))
		for i, p := range m.Parts {
			texts[i] = p.Text
		}
		m.Parts = []manual.Part{{Kind: manual.Text, Text: strings.Join(texts, "\n")}}
	}
	return m.MarshalJSON()
}

// nativeResults returns 1 for a result that is left to the upstream, otherwise 0.
func nativeResults(p manual.Part) int {
	if p.Kind == manual.Other && rawjson.ParseObject(p.Raw).Text("type") == "tool_result" {
		return 1
	}
	return 0
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
	m, err := d.api.ParseMessage(messages[n])
	if err != nil {
		return append(messages, d.message(manual.User, instruction))
	}
	if k := len(m.Parts) - 1; k == 0 && m.Parts[k].Kind == manual.Text && m.Parts[k].Raw == nil {
		m.Parts[k].Text = paragraphs(m.Parts[k].Text, instruction)
	} else {
		m.Parts = append(m.Parts, manual.Part{Kind: manual.Text, Text: instruction})
	}
	messages = slices.Clone(messages)
	messages[n], _ = m.MarshalJSON()
	return messages
}
