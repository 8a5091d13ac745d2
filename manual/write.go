package manual

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

var errApart = errors.New("manual: the API has no single message with these calls and results; " +
	"use API.AppendMessages")

// MarshalJSON writes the message in the shape of the API it was read from, or of chat completions.
// A message with results that this API writes as several messages is an error; see
// [API.AppendMessages]. The content is a string if it is one plain text, otherwise a list of parts.
func (m Message) MarshalJSON() ([]byte, error) {
	if !m.hasTools() {
		return m.append(nil, m.api)
	}
	list := m.api.arrange([]Message{m})
	if len(list) > 1 {
		return nil, errApart
	}
	return list[0].append(nil, m.api)
}

// append writes a message as arrange returns it in the shape of an API.
func (m *Message) append(dst []byte, api API) ([]byte, error) {
	var elements, calls [][]byte
	for i := range m.Parts {
		p := &m.Parts[i]
		raw, err := m.part(p, api)
		switch {
		case err != nil:
			return nil, err
		case p.Kind == Call && families[api].areBeside:
			calls = append(calls, raw)
		default:
			elements = append(elements, raw)
		}
	}
	var out rawjson.Object
	isSole := len(m.Parts) == 1
	switch {
	case isSole && m.Role == "" && m.Parts[0].Kind == Other && len(m.Extra) == 0:
		return append(dst, m.Parts[0].Raw...), nil
	case isSole && api.isAlone(&m.Parts[0]) && api == m.api && m.Parts[0].Raw != nil:
		return append(dst, m.Parts[0].Raw...), nil
	case isSole && api.isAlone(&m.Parts[0]):
		out = rawjson.ParseObject(elements[0])
	default:
		if api != Gemini || m.Role != System {
			out = rawjson.Make("role", api.role(m.Role))
		}
		key := cmp.Or(families[api].parts, "content")
		if m.both && api == AISDKUI {
			out = append(out, rawjson.Make("content", textOf(m.Parts))...)
		}
		out = append(out, rawjson.Make(key, m.content(api, elements, calls))...)
	}
	if len(m.Extra) > 0 {
		out = m.appendExtra(out)
	}
	if calls != nil {
		out = append(out, rawjson.Make("tool_calls", rawjson.AppendArray(nil, calls))...)
	}
	return out.Append(dst), nil
}

// appendExtra appends the other members of the message.
func (m *Message) appendExtra(out rawjson.Object) rawjson.Object {
	for _, key := range slices.Sorted(maps.Keys(m.Extra)) {
		if out.Get(key) == nil {
			out = append(out, rawjson.Member{Key: key, Value: m.Extra[key]})
		}
	}
	return out
}

// part returns a part in the shape of an API. One that was read from it keeps its JSON.
func (m *Message) part(p *Part, api API) ([]byte, error) {
	isOwn := api == m.api && p.Raw != nil
	isTool := p.Kind == Call || p.isResult()
	switch {
	case p.Kind == Other || isTool && isOwn:
		return p.Raw, nil
	case p.Kind == Call && !api.inputIsText() && !isObject(p.Input):
		return nil, fmt.Errorf("manual: the arguments of a call to %q aren't a JSON object", p.Name)
	case p.isResult() && api == AISDKUI: // it has no call
		return nil, errApart
	case isTool:
		return api.tool(p, p), nil
	case p.Raw == nil || api == Gemini && !isOwn:
		return api.textPart(m.Role, p.Text), nil
	}
	o := rawjson.ParseObject(p.Raw)
	if !isOwn && api != AnyAPI {
		o = o.Set("type", rawjson.Quote(api.textType(m.Role)))
	}
	return o.Set("text", rawjson.Quote(p.Text)).Append(nil), nil
}

// content returns the content: a string if it is one text, null if there are only calls beside it.
func (m *Message) content(api API, elements, calls [][]byte) []byte {
	isOther := func(p Part) bool { return p.Kind == Other }
	isPlain := len(elements) == 1 && m.Parts[0].Kind == Text && m.Parts[0].Raw == nil
	switch {
	case calls != nil && len(elements) == 0 && api != Ollama:
		return []byte("null")
	case families[api].parts != "":
	case isPlain:
		return rawjson.Quote(m.Parts[0].Text)
	case api == Ollama && !slices.ContainsFunc(m.Parts, isOther):
		return rawjson.Quote(textOf(m.Parts))
	}
	return rawjson.AppendArray(nil, elements)
}

// textOf returns the texts of parts, each on a line of its own.
func textOf(parts []Part) string {
	var texts []string
	for i := range parts {
		if parts[i].Kind == Text {
			texts = append(texts, parts[i].Text)
		}
	}
	return strings.Join(texts, "\n")
}

// AppendMessages appends a conversation as the API takes it: an array of messages, or a request
// object if the API has the system prompt beside them. Calls and results go where the API has
// them, which may be in messages of their own. Parts that only another API knows are kept; other
// members of messages of another API are left out.
func (api API) AppendMessages(dst []byte, messages []Message) ([]byte, error) {
	var system []byte
	var list [][]byte
	for _, m := range api.arrange(messages) {
		raw, err := m.append(nil, api)
		if err != nil {
			return nil, err
		}
		isBeside := api == Anthropic || api == Gemini
		if isBeside && m.Role == System && system == nil && len(list) == 0 {
			system = raw
			continue
		}
		list = append(list, raw)
	}
	all := rawjson.AppendArray(nil, list)
	var request rawjson.Object
	switch api {
	case Anthropic:
		if system != nil {
			request = rawjson.Make("system", rawjson.ParseObject(system).Get("content"))
		}
		request = append(request, rawjson.Make("messages", all)...)
	case Gemini:
		if system != nil {
			request = rawjson.Make("systemInstruction", system)
		}
		request = append(request, rawjson.Make("contents", all)...)
	default:
		return append(dst, all...), nil
	}
	return request.Append(dst), nil
}

// arranger puts calls and results in the messages that an API has for them.
type arranger struct {
	api   API
	out   []Message
	from  int              // index of the message that the last of out began with
	calls map[string]place // by their IDs
	named int              // IDs made up so far
	open  []string         // of them, those without a result
}

// place is where a call is in the messages.
type place struct {
	message, part int
	call          Part
}

func (api API) arrange(messages []Message) []Message {
	a := arranger{api: api, calls: make(map[string]place)}
	from := AnyAPI
	for i := range messages {
		from = cmp.Or(from, messages[i].api)
	}
	keepsExtra := from == api || from == AnyAPI && families[api].areBeside
	for i, m := range messages {
		if !keepsExtra {
			m.Extra = nil
		}
		if len(m.Parts) == 0 {
			a.out, a.from = append(a.out, m), i
		}
		var feedback []Part // on calls that APIs don't have
		for _, p := range m.Parts {
			if p.Kind == Feedback && p.ID == "" && p.Name == "" {
				feedback = append(feedback, Part{Kind: Text, Text: p.Text})
				continue
			}
			isEmpty := p.Kind == Text && p.Text == "" && p.Raw == nil && len(m.Parts) > 1
			if !isEmpty || families[api].areBeside { // others refuse empty texts
				a.add(i, &m, p)
			}
		}
		for _, p := range feedback { // APIs want results directly after their calls
			a.add(i, &m, p)
		}
	}
	return a.out
}

// add adds a part of the i-th message.
func (a *arranger) add(i int, m *Message, p Part) {
	if p.Kind == Other && m.api != a.api && isMedia(p.Raw) {
		raw, text := a.api.shown(p.Raw)
		p = Part{Kind: Other, Raw: raw}
		if raw == nil {
			p = Part{Kind: Text, Text: text}
		}
	}
	p.ID = a.id(&p)
	at, isKnown := a.calls[p.ID]
	p.Name = cmp.Or(p.Name, at.call.Name)
	if isKnown && p.isResult() && a.api == AISDKUI && isObject(at.call.Input) {
		whole := Part{Kind: Other, Raw: a.api.tool(&p, &at.call)}
		a.out[at.message].Parts[at.part] = whole
		return
	}
	role := a.role(m.Role, &p)
	if !a.continues(i, role, m, &p) {
		next := Message{Role: role, Extra: m.Extra, api: m.api, both: m.both}
		a.out, a.from = append(a.out, next), i
		m.Extra = nil // it is written once
	}
	i = len(a.out) - 1
	last := &a.out[i]
	last.api = cmp.Or(last.api, m.api)
	if p.Kind == Call && (!isKnown || at.message != i) { // the first of a message is meant
		a.calls[p.ID] = place{i, len(last.Parts), p}
	}
	last.Parts = append(last.Parts, p)
}

// role returns the role of the message for a part of a message of that role.
func (a *arranger) role(role string, p *Part) string {
	switch {
	case p.isResult() && (a.api == Anthropic || a.api == Gemini):
		return User
	case p.isResult() && a.api == AISDKUI:
		return Assistant
	case p.isResult():
		return ToolRole
	case role == ToolRole:
		return User
	}
	return role
}

// id returns the ID of a call or result, and makes one up if it has none but the API needs one.
// Results without an ID answer the calls without one in their order.
func (a *arranger) id(p *Part) string {
	isTool := p.Kind == Call || p.isResult()
	if !isTool || p.ID != "" || a.api == Gemini || a.api == Ollama {
		return p.ID
	}
	if p.Kind == Call {
		a.named++
		id := fmt.Sprintf("call_%d", a.named)
		a.open = append(a.open, id)
		return id
	}
	for i, id := range a.open {
		if p.Name == "" || p.Name == a.calls[id].call.Name {
			a.open = slices.Delete(a.open, i, i+1)
			return id
		}
	}
	return ""
}

// continues reports whether a part of the i-th message goes into the last message of out.
func (a *arranger) continues(i int, role string, m *Message, p *Part) bool {
	if len(a.out) == 0 {
		return false
	}
	last := &a.out[len(a.out)-1]
	isAlone := a.api.isAlone(p) || len(last.Parts) > 0 && a.api.isAlone(&last.Parts[0])
	isOther := last.api != m.api && last.api != AnyAPI && m.api != AnyAPI
	if last.Role != role || isAlone || isOther {
		return false
	}
	switch a.api {
	case Anthropic, Gemini:
		return a.from == i || role != System
	case AISDK:
		return a.from == i || role == ToolRole
	}
	return a.from == i
}
