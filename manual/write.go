package manual

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

var errApart = errors.New("manual: the API has no single message with these calls and results; " +
	"use API.AppendMessages")

var errNoRole = errors.New("manual: a message has no role")

// MarshalJSON writes the message in the shape of the API it was read from, or of chat completions.
// A message with results that this API writes as several messages is an error; see
// [API.AppendMessages]. So is a message without a role, unless it has one part that needs none. The
// content is a string if it is at most one plain text, otherwise a list of parts. Arguments that
// the API has as text are written as they are, even if they aren't JSON.
func (m Message) MarshalJSON() ([]byte, error) {
	list := []Message{m}
	if m.hasTools() {
		list = m.api.arrange(list)
	}
	if len(list) > 1 {
		return nil, errApart
	}
	return list[0].write(m.api)
}

// AppendMessages appends a conversation as the API takes it: an array of messages, or a request
// object if the API has the system prompt beside them. Calls and results go where the API has
// them, which may be in messages of their own. Results are text or JSON; the images and files of
// results of another API come after them, in a user's message. Parts that only another API knows,
// such as reasoning, are kept: remove those that this API refuses. Other members of messages, calls
// and results of another API are left out, and chat completions, Responses and Ollama have no mark
// of a failed result.
func (api API) AppendMessages(dst []byte, messages []Message) ([]byte, error) {
	arranged := api.arrange(messages)
	list := make([][]byte, len(arranged))
	for i := range arranged {
		var err error
		list[i], err = arranged[i].write(api)
		if err != nil {
			return nil, err
		}
	}
	shape := api.shape()
	if shape.messages == "" {
		return rawjson.AppendArray(dst, list), nil
	}
	var request rawjson.Object
	if len(arranged) > 0 && arranged[0].Role == System {
		system := list[0]
		if api != Gemini {
			system = rawjson.ParseObject(system).Get("content")
		}
		request, list = rawjson.Make(shape.system, system), list[1:]
	}
	return append(request, rawjson.Make(shape.messages, list)...).Append(dst), nil
}

// write returns the message, as arrange returns it, in the shape of an API.
func (m *Message) write(api API) ([]byte, error) {
	s := api.shape()
	var elements, calls [][]byte
	for i := range m.Parts {
		raw, err := m.part(&m.Parts[i], api)
		switch {
		case err != nil:
			return nil, err
		case m.Parts[i].Kind == Call && s.areBeside:
			calls = append(calls, raw)
		default:
			elements = append(elements, raw)
		}
	}
	var out rawjson.Object
	isSole := len(m.Parts) == 1
	isAlone := isSole && s.isAlone(&m.Parts[0])
	isItem := isSole && m.Role == "" && m.Parts[0].Kind == Other && len(m.Extra) == 0
	switch {
	case isItem, isAlone && api == m.api && m.Parts[0].Raw != nil:
		return elements[0], nil
	case isAlone:
		out = rawjson.ParseObject(elements[0])
	default:
		if m.Role == "" {
			return nil, errNoRole
		}
		if api != Gemini || m.Role != System {
			out = rawjson.Make("role", cmp.Or(s.roles[m.Role], s.roles[""], m.Role))
		}
		content := m.content(api, elements)
		if calls != nil && len(elements) == 0 && api != Ollama {
			content = []byte("null")
		}
		out = append(out, rawjson.Make(cmp.Or(s.parts, "content"), content)...)
	}
	for _, key := range slices.Sorted(maps.Keys(m.Extra)) {
		if out.Get(key) == nil {
			out = append(out, rawjson.Member{Key: key, Value: m.Extra[key]})
		}
	}
	if calls != nil {
		out = append(out, rawjson.Make("tool_calls", calls)...)
	}
	return out.Append(nil), nil
}

// content returns the content: a string if it is one text, otherwise a list of these elements.
func (m *Message) content(api API, elements [][]byte) []byte {
	isBeside := func(p Part) bool { return p.Kind == Call && api.shape().areBeside }
	isMore := func(p Part) bool { return !isBeside(p) && (p.Kind != Text || p.Raw != nil) }
	isOther := func(p Part) bool { return p.Kind == Other }
	isText := len(elements) <= 1 && !slices.ContainsFunc(m.Parts, isMore) ||
		api == Ollama && !slices.ContainsFunc(m.Parts, isOther)
	if isText && api.shape().parts == "" {
		return rawjson.Quote(textOf(m.Parts))
	}
	return rawjson.AppendArray(nil, elements)
}

// part returns a part in the shape of an API. One that was read from it keeps its JSON.
func (m *Message) part(p *Part, api API) ([]byte, error) {
	isOwn := api == m.api && p.Raw != nil
	switch {
	case p.Kind == Other || p.isTool() && isOwn:
		return p.Raw, nil
	case p.Kind == Call && !isObject(p.Input) && !api.shape().inputIsText():
		return nil, fmt.Errorf("manual: the arguments of a call to %q aren't a JSON object", p.Name)
	case p.isResult() && api == AISDKUI:
		return nil, fmt.Errorf("manual: %s has results only in their calls, and a result of %q "+
			"has none", api, p.Name)
	case p.isTool():
		return api.tool(p, p), nil
	}
	text := api.textPart(m.Role, p.Text)
	if p.Raw == nil || api == Gemini && !isOwn {
		return text, nil
	}
	o := rawjson.ParseObject(p.Raw).With("text", p.Text) // keeps members such as cache marks
	if !isOwn {
		o = o.Set("type", rawjson.ParseObject(text).Get("type"))
	}
	return o.Append(nil), nil
}

// textPart returns a text of a role as a part.
func (api API) textPart(role, text string) []byte {
	typ := "text"
	switch {
	case api == Gemini:
		return rawjson.Make("text", text).Append(nil)
	case api == Responses && role == Assistant:
		typ = "output_text"
	case api == Responses:
		typ = "input_text"
	}
	return rawjson.Make("type", typ, "text", text).Append(nil)
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

// arranger puts calls and results in the messages that an API has for them.
type arranger struct {
	api   API
	shape *shape
	out   []Message
	from  int    // index of the message that the last of out began with
	later []Part // of a user's message after the results that are being added
}

// arrange returns the messages with calls and results where the API has them, and media in its
// shape.
func (api API) arrange(messages []Message) []Message {
	a := arranger{api: api, shape: api.shape()}
	from := apiOf(messages)
	keepsExtra := from == api || from == anyAPI && a.shape.areBeside
	for i, m := range link(messages, api == Ollama) {
		if !keepsExtra {
			// Ollama has images beside the content.
			for _, data := range rawjson.ParseArray(m.Extra["images"]) {
				image := rawjson.Make("type", "image", "data", data).Append(nil)
				m.Parts = append(slices.Clip(m.Parts), Part{Kind: Other, Raw: image})
			}
			m.Extra = nil
		}
		if len(m.Parts) == 0 {
			a.addLater()
			a.out, a.from = append(a.out, m), i
		}
		for _, p := range m.Parts {
			if !p.isResult() {
				a.addLater()
			}
			isSole := len(m.Parts) == 1 && !a.continues(i, m.Role, &m, &p)
			isEmpty := p.Kind == Text && p.Text == "" && p.Raw == nil && !isSole
			switch {
			case p.Kind == Feedback && p.ID == "" && p.Name == "": // on a call that APIs don't have
				a.later = append(a.later, Part{Kind: Text, Text: p.Text})
			case !isEmpty || a.shape.areBeside: // others refuse empty texts
				a.add(i, &m, p)
			}
		}
	}
	a.addLater()
	return a.out
}

// addLater adds what waits for the end of the results: APIs want these directly after their calls.
func (a *arranger) addLater() {
	later := a.later
	a.later = nil
	for _, p := range later {
		a.add(-1, &Message{Role: User}, p)
	}
}

// unwrap makes a list of content parts in a result of another API text, and the media after it.
func (a *arranger) unwrap(p *Part) {
	text, media := p.outputText(func(raw json.RawMessage) Part {
		if isMedia(raw) {
			return a.api.shown(raw)
		}
		return Part{Text: string(rawjson.Compact(raw))}
	})
	if len(media) > 0 || text != string(rawjson.Compact(p.Output)) {
		p.Failed = p.isError()
		p.Text, p.Output = text, nil
		a.later = append(a.later, media...)
	}
}

// add adds a part of the i-th message. It makes up an ID for a call that has none if the API needs
// one.
func (a *arranger) add(i int, m *Message, p Part) {
	role, call := m.Role, p.call
	if role == ToolRole {
		role = User
	}
	isOwn := m.api == a.api && p.Raw != nil
	switch {
	case p.Kind == Other && m.api != a.api && isMedia(p.Raw):
		p = a.api.shown(p.Raw)
	case p.Kind == Call && p.ID == "" && a.api != Gemini && a.api != Ollama:
		p.ID = fmt.Sprintf("call_%d", call.index+1)
	case p.isResult():
		role = cmp.Or(a.shape.resultRole, ToolRole)
		if p.Output != nil && !isOwn {
			a.unwrap(&p)
		}
		if call == nil {
			break
		}
		p.ID, p.Name = cmp.Or(p.ID, call.ID), cmp.Or(p.Name, call.Name)
		if a.api == AISDKUI && isObject(call.Input) {
			whole := Part{Kind: Other, Raw: a.api.tool(&p, call.Part)}
			a.out[call.message].Parts[call.place] = whole
			return
		}
	}
	if !a.continues(i, role, m, &p) {
		a.out, a.from = append(a.out, Message{Role: role, Extra: m.Extra, api: m.api}), i
		m.Extra = nil // it is written once
	}
	i = len(a.out) - 1
	last := &a.out[i]
	last.api = cmp.Or(last.api, m.api)
	if p.Kind == Call {
		call.ID, call.message, call.place = p.ID, i, len(last.Parts)
	}
	last.Parts = append(last.Parts, p)
}

// continues reports whether a part of the i-th message goes into the last message of out.
func (a *arranger) continues(i int, role string, m *Message, p *Part) bool {
	if len(a.out) == 0 {
		return false
	}
	last := &a.out[len(a.out)-1]
	isAlone := a.shape.isAlone(p) || len(last.Parts) > 0 && a.shape.isAlone(&last.Parts[0])
	isOther := last.api != m.api && last.api != anyAPI && m.api != anyAPI
	isTurn := p.Kind == Call && m.api.shape().areItems || slices.Contains(a.shape.joined, role)
	if last.Role != role || isAlone || isOther {
		return false
	}
	return a.from == i || isTurn
}
