package manual

import (
	"bytes"

	"github.com/callwire/callwire/internal/rawjson"
)

// This file reads the contents of Gemini: a role, and parts without types.
//
//	{"role":"model","parts":[{"text":"…"},{"functionCall":{"name":"getWeather","args":{…}}}]}
//	{"role":"user","parts":[{"functionResponse":{"name":"getWeather","response":{…}}}]}

// isGemini reports whether a message is a content of Gemini: its parts are objects without a type,
// or it is the model's.
func isGemini(o rawjson.Object) bool {
	role := o.Text("role")
	if o.Get("content") != nil || role == "model" {
		return role == "model"
	}
	parts := geminiParts(o.Get("parts"))
	hasResult := false
	for _, raw := range parts {
		part := rawjson.ParseObject(raw)
		if part == nil || part.Get("type") != nil {
			return false
		}
		hasResult = hasResult || part.Has("functionResponse")
	}
	isTool := role == ToolRole || role == functionRole
	return len(parts) > 0 && (hasResult || !isTool) && o.ID(resultIDKeys...) == ""
}

// geminiParts returns the elements of a list of parts. The API also takes a single part.
func geminiParts(value []byte) [][]byte {
	if len(value) > 0 && value[0] == '{' {
		return [][]byte{value}
	}
	return rawjson.ParseArray(value)
}

// readGemini reads a content.
func readGemini(o rawjson.Object) Message {
	m := Message{Role: o.Text("role"), Extra: extraOf(o, messageKeys), api: Gemini}
	delete(m.Extra, "parts")
	switch m.Role {
	case "model":
		m.Role = Assistant
	case "", functionRole, ToolRole: // the part shows that it is a result
		m.Role = User
	}
	for _, raw := range geminiParts(o.Get("parts")) {
		part := rawjson.ParseObject(raw)
		call, result := part.Object("functionCall"), part.Object("functionResponse")
		switch {
		case call != nil:
			m.Parts = append(m.Parts, readCall(call, raw))
		case result != nil:
			m.readGeminiResult(result, raw)
		case rawjson.IsString(part.Get("text")) && string(part.Get("thought")) != "true":
			p := Part{Kind: Text, Text: part.Text("text")}
			if len(part) > 1 {
				p.Raw = raw
			}
			m.Parts = append(m.Parts, p)
		default:
			m.Parts = append(m.Parts, Part{Kind: Other, Raw: raw})
		}
	}
	return m
}

// readGeminiResult reads a functionResponse: the result, and the media beside it. A response may
// have what a tool returned as its only member.
func (m *Message) readGeminiResult(o rawjson.Object, raw []byte) {
	p := Part{Kind: Result, ID: o.ID("id"), Name: o.Text("name"), Raw: raw}
	output := o.Get("response")
	if response := rawjson.ParseObject(output); len(response) == 1 {
		switch key := response[0].Key; key {
		case "output", "result", "content", "error":
			output, p.Failed = response[0].Value, key == "error"
		}
	}
	var media []Part
	var rest [][]byte
	for _, raw := range o.Array("parts") {
		if isGeminiMedia(raw) {
			media = append(media, Part{Kind: Other, Raw: raw})
		} else {
			rest = append(rest, raw)
		}
	}
	if len(rest) > 0 {
		whole := rawjson.Make("parts", rawjson.AppendArray(nil, rest))
		if o.Has("response") {
			whole = append(rawjson.Make("response", o.Get("response")), whole...)
		}
		output = whole.Append(nil)
	}
	p.setOutput(output)
	m.Parts = append(append(m.Parts, p), media...)
}

// isGeminiMedia reports whether a part is an image, a sound or a file without any text, so that it
// may be part of a user's message unchanged.
func isGeminiMedia(raw []byte) bool {
	part := rawjson.ParseObject(raw)
	if len(part) != 1 || bytes.ContainsAny(raw, `<\`) {
		return false
	}
	key := part[0].Key
	isMedia := key == "inlineData" || key == "fileData"
	return isMedia && part.Object(key).Only("mimeType", "data", "fileUri")
}
