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
	return len(parts) > 0 && (hasResult || !isTool) && idOf(o, resultIDKeys) == ""
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
	m := Message{Role: o.Text("role"), Extra: extraOf(o), api: Gemini}
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
			p := Part{Kind: Call, ID: call.ID("id"), Name: call.Text("name"), Raw: raw}
			p.Input = call.Get("args")
			m.Parts = append(m.Parts, p)
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

// readGeminiResult reads a functionResponse: the result, and the media beside it.
func (m *Message) readGeminiResult(o rawjson.Object, raw []byte) {
	output, failed := geminiOutput(o.Get("response"))
	media, rest := geminiMedia(o.Array("parts"))
	if len(rest) > 0 {
		whole := rawjson.Object{{Key: "parts", Value: rawjson.AppendArray(nil, rest)}}
		if o.Has("response") {
			response := rawjson.Member{Key: "response", Value: o.Get("response")}
			whole = rawjson.Object{response, whole[0]}
		}
		output = whole.Append(nil)
	}
	p := Part{Kind: Result, ID: o.ID("id"), Name: o.Text("name"), Failed: failed, Raw: raw}
	p.setOutput(output)
	m.Parts = append(m.Parts, p)
	for _, raw := range media {
		m.Parts = append(m.Parts, Part{Kind: Other, Raw: raw})
	}
}

// geminiOutput returns what a tool returned, and whether it failed. An object may hold it as its
// only member.
func geminiOutput(response []byte) (output []byte, failed bool) {
	if o := rawjson.ParseObject(response); len(o) == 1 {
		switch o[0].Key {
		case "output", "result", "content":
			return o[0].Value, false
		case "error":
			return o[0].Value, true
		}
	}
	return response, false
}

// geminiMedia splits what a function returned beside its response into media and the rest. Media
// contain no text, so they may be part of a user's message unchanged.
func geminiMedia(parts [][]byte) (media, rest [][]byte) {
	for _, raw := range parts {
		if isGeminiMedia(raw) {
			media = append(media, raw)
		} else {
			rest = append(rest, raw)
		}
	}
	return media, rest
}

func isGeminiMedia(raw []byte) bool {
	part := rawjson.ParseObject(raw)
	if len(part) != 1 || bytes.ContainsAny(raw, `<\`) {
		return false
	}
	if key := part[0].Key; key != "inlineData" && key != "fileData" {
		return false
	}
	return part.Object(part[0].Key).Only("mimeType", "data", "fileUri")
}
