package middleware

import (
	"bytes"
	"strings"

	"github.com/callwire/callwire/manual"
)

// geminiTool returns a Gemini declaration as a tool. Its schema is JSON Schema with
// types in capitals, or plain JSON Schema.
func geminiTool(declaration []byte) []byte {
	o := readObject(nil, declaration)
	tool := object{{"name", orEmpty(o.get("name"))}, {"description", orEmpty(o.get("description"))}}
	for _, key := range [...]string{"lazy", "defer_loading", "skill"} {
		if o.has(key) {
			tool = append(tool, member{key, o.get(key)})
		}
	}
	switch {
	case o.has("parametersJsonSchema"):
		tool = append(tool, member{"parameters", o.get("parametersJsonSchema")})
	case o.has("parameters"):
		tool = append(tool, member{"parameters", geminiSchema(o.get("parameters"))})
	default:
		tool = append(tool, member{"parameters", []byte(`{"type":"object","properties":{}}`)})
	}
	return tool.appendTo(nil)
}

// geminiSchema returns a schema with its types in lower case.
func geminiSchema(raw []byte) []byte {
	switch {
	case len(raw) > 0 && raw[0] == '[':
		list := readArray(nil, raw)
		for i := range list {
			list[i] = geminiSchema(list[i])
		}
		return appendArray(nil, list)
	case len(raw) == 0 || raw[0] != '{':
		return raw
	}
	o := readObject(nil, raw)
	for i, m := range o {
		switch m.key {
		case "type":
			if isString(m.value) {
				o[i].value = bytes.ToLower(m.value)
			}
		case "properties", "$defs", "defs":
			properties := readObject(nil, orObject(m.value))
			for k := range properties {
				properties[k].value = geminiSchema(properties[k].value)
			}
			o[i].value = properties.appendTo(nil)
		case "items", "anyOf", "allOf", "oneOf", "prefixItems", "additionalProperties":
			o[i].value = geminiSchema(m.value)
		}
	}
	return o.appendTo(nil)
}

// geminiMessage reads a Gemini content.
func geminiMessage(raw []byte) manual.Message {
	o := readObject(nil, raw)
	m := manual.Message{Role: o.text("role"), Extra: extraOf(o, "role", "parts")}
	switch m.Role {
	case "model":
		m.Role = manual.Assistant
	case "", "function", manual.ToolRole: // the part says that it is a result
		m.Role = manual.User
	}
	for _, raw := range geminiParts(o.get("parts")) {
		part := readObject(nil, raw)
		switch call, result := part.object("functionCall"), part.object("functionResponse"); {
		case call != nil:
			m.Parts = append(m.Parts, manual.Part{Kind: manual.Call, ID: call.id("id"), Name: call.text("name"), Input: jsonText(call.get("args"))})
		case result != nil:
			output, failed := geminiOutput(result.get("response"))
			media, rest := geminiMedia(result.array("parts"))
			if len(rest) > 0 {
				whole := object{{"parts", appendArray(nil, rest)}}
				if result.has("response") {
					whole = object{{"response", result.get("response")}, whole[0]}
				}
				output = whole.appendTo(nil)
			}
			m.Parts = append(m.Parts, manual.Part{Kind: manual.Result, ID: result.id("id"), Name: result.text("name"), Output: jsonText(output), Failed: failed})
			for _, raw := range media {
				m.Parts = append(m.Parts, manual.Part{Kind: manual.Other, Raw: raw})
			}
		case isString(part.get("text")) && string(part.get("thought")) != "true":
			p := manual.Part{Kind: manual.Text, Text: part.text("text")}
			if len(part) > 1 {
				p.Raw = raw
			}
			m.Parts = append(m.Parts, p)
		default:
			m.Parts = append(m.Parts, manual.Part{Kind: manual.Other, Raw: raw})
		}
	}
	return m
}

// geminiParts returns the elements of a list of parts; the API also takes a single
// part.
func geminiParts(value []byte) [][]byte {
	if len(value) > 0 && value[0] == '{' {
		return [][]byte{value}
	}
	return readArrayOf(value)
}

// geminiMedia splits what a function returned beside its response into media, which
// hold no text and so may stand in a user's message unchanged, and the rest.
func geminiMedia(parts [][]byte) (media, rest [][]byte) {
	for _, raw := range parts {
		part := readObject(nil, orObject(raw))
		plain := len(part) == 1 && (part[0].key == "inlineData" || part[0].key == "fileData") && !bytes.ContainsAny(raw, `<\`)
		if plain {
			for _, m := range part.object(part[0].key) {
				plain = plain && (m.key == "mimeType" || m.key == "data" || m.key == "fileUri")
			}
		}
		if plain {
			media = append(media, raw)
		} else {
			rest = append(rest, raw)
		}
	}
	return media, rest
}

// geminiOutput returns what a tool returned, and whether it failed. An object may hold
// it as its only member, named output, result, content or error.
func geminiOutput(response []byte) (output []byte, failed bool) {
	if o := readObject(nil, orObject(response)); len(o) == 1 {
		switch o[0].key {
		case "output", "result", "content":
			return o[0].value, false
		case "error":
			return o[0].value, true
		}
	}
	return response, false
}

// jsonText returns JSON as package manual takes it: a string as its text.
func jsonText(value []byte) any {
	if isString(value) {
		return strings.Clone(unquoted(value))
	}
	if value == nil {
		return nil
	}
	return append([]byte(nil), value...)
}
