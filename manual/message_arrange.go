package manual

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
)

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
	switch o := rawjson.ParseObject(system); {
	case api == Anthropic && system != nil:
		return object("system", o.Get("content"), "messages", all).Append(dst), nil
	case api == Anthropic:
		return object("messages", all).Append(dst), nil
	case api == Gemini && system != nil:
		return object("systemInstruction", system, "contents", all).Append(dst), nil
	case api == Gemini:
		return object("contents", all).Append(dst), nil
	}
	return append(dst, all...), nil
}

// arranger puts calls and results in the messages that an API has for them.
type arranger struct {
	api   API
	out   []Message
	from  int            // index of the message that the last of out began with
	calls map[string]int // indexes in out of calls, by their IDs
	names map[string]string

	named int      // IDs made up so far
	open  []string // of them, those without a result
}

func (api API) arrange(messages []Message) []Message {
	a := arranger{api: api, calls: make(map[string]int), names: make(map[string]string)}
	from := AnyAPI
	for i := range messages {
		from = cmp.Or(from, messages[i].api)
	}
	keepsExtra := from == api || from == AnyAPI && api.besideContent()
	for i, m := range messages {
		if !keepsExtra {
			m.Extra = nil
		}
		if len(m.Parts) == 0 {
			a.out, a.from = append(a.out, m), i
		}
		for _, p := range m.Parts {
			isEmpty := p.Kind == Text && p.Text == "" && p.Raw == nil && len(m.Parts) > 1
			if !isEmpty || api.besideContent() { // others refuse empty texts
				a.add(i, &m, p)
			}
		}
	}
	return a.out
}

// add adds a part of the i-th message.
func (a *arranger) add(i int, m *Message, p Part) {
	role := m.Role
	switch {
	case p.isResult() && (a.api == Anthropic || a.api == Gemini):
		role = User
	case p.isResult() && a.api == AISDKUI:
		role = Assistant
	case p.isResult():
		role = ToolRole
	case role == ToolRole:
		role = User
	}
	if p.Kind == Other && m.api != a.api && isMedia(p.Raw) {
		raw, text := a.api.shown(p.Raw)
		p = Part{Kind: Other, Raw: raw}
		if raw == nil {
			p = Part{Kind: Text, Text: text}
		}
	}
	p.ID = a.id(&p)
	p.Name = cmp.Or(p.Name, a.names[p.ID])
	if at, known := a.calls[p.ID]; known && p.isResult() && a.api == AISDKUI {
		a.out[at].Parts = append(a.out[at].Parts, p)
		return
	}
	if !a.continues(i, role, m, &p) {
		next := Message{Role: role, Extra: m.Extra, api: m.api, both: m.both}
		a.out, a.from = append(a.out, next), i
		m.Extra = nil // it is written once
	}
	last := len(a.out) - 1
	a.out[last].Parts = append(a.out[last].Parts, p)
	a.out[last].api = cmp.Or(a.out[last].api, m.api)
	if p.Kind == Call {
		a.names[p.ID], a.calls[p.ID] = p.Name, last
	}
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
		if p.Name == "" || p.Name == a.names[id] {
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
	if last.Role != role || isAlone {
		return false
	}
	if last.api != m.api && last.api != AnyAPI && m.api != AnyAPI {
		return false
	}
	joins := a.api == Anthropic || a.api == Gemini
	return a.from == i || joins && role != System || a.api == AISDK && role == ToolRole
}
