package manual

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// compactText returns JSON text without whitespace, and other text as it is.
func compactText(data []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, data) == nil {
		return b.String()
	}
	return string(data)
}

// failed reports whether an output is an error, or an MCP result marked as one.
func failed(output any) bool {
	var mcp struct {
		IsError bool `json:"isError"`
		Content json.RawMessage
	}
	var data []byte
	switch v := output.(type) {
	case nil, string:
		return false
	case error:
		return true
	case json.RawMessage:
		data = v
	case []byte:
		data = v
	default:
		data, _ = encode(output)
	}
	return json.Unmarshal(data, &mcp) == nil && mcp.IsError && mcp.Content != nil
}

// outputText returns the text of an output, and the parts that are not text.
func outputText(output any) (text string, others []Part, err error) {
	var data []byte
	switch v := output.(type) {
	case nil:
		return "", nil, nil
	case string:
		return v, nil, nil
	case error:
		return fmt.Sprint(v), nil, nil // which accepts a nil inside
	case json.RawMessage:
		data = v
	case []byte:
		data = v
	default:
		if data, err = encode(output); err != nil {
			return "", nil, err
		}
		if isText(data) {
			err = json.Unmarshal(data, &text)
			return text, nil, err
		}
	}
	data = bytes.TrimSpace(data)
	if texts, others, ok := contentParts(data); ok {
		return strings.Join(texts, "\n"), others, nil
	}
	return compactText(data), nil, nil
}

// contentParts reads a list of typed parts, or an MCP result that contains one.
func contentParts(data []byte) (texts []string, others []Part, ok bool) {
	if content, structured, ok := mcpResult(data); ok {
		texts, others, ok = contentParts(content)
		if !ok && !isEmptyList(content) {
			return nil, nil, false
		}
		if !isNull(structured) && !slices.ContainsFunc(texts, repeats(structured)) {
			texts = append(texts, compactText(structured))
		}
		return texts, others, true
	}
	var list []json.RawMessage
	if len(data) == 0 || data[0] != '[' || json.Unmarshal(data, &list) != nil || len(list) == 0 {
		return nil, nil, false
	}
	for _, raw := range list {
		var p map[string]json.RawMessage
		if json.Unmarshal(raw, &p) != nil || stringIn(p["type"]) == "" {
			return nil, nil, false
		}
		switch text := p["text"]; {
		case isNull(text) || kindOf(stringIn(p["type"])) != Text:
			others = append(others, Part{Kind: Other, Raw: raw})
		case !isText(text):
			return nil, nil, false
		case saysMore(p):
			texts = append(texts, compactText(raw))
		default:
			texts = append(texts, stringIn(text))
		}
	}
	return texts, others, true
}

// saysMore reports whether a text part has a member that no API defines. Members that
// APIs define next to the text are for clients, not for the model.
func saysMore(p map[string]json.RawMessage) bool {
	for key := range p {
		switch key {
		case "type", "text", "annotations", "_meta", "cache_control", "citations", "logprobs", "providerOptions", "providerMetadata", "state":
		default:
			return true
		}
	}
	return false
}

// mcpResult reads an MCP result: an object with a list as content, and no member
// unknown to MCP, which would be lost.
func mcpResult(data []byte) (content, structured json.RawMessage, ok bool) {
	var members map[string]json.RawMessage
	if len(data) == 0 || data[0] != '{' || json.Unmarshal(data, &members) != nil || !isList(members["content"]) {
		return nil, nil, false
	}
	for key, value := range members {
		switch key {
		case "content", "structuredContent", "_meta":
		case "isError":
			if text := string(value); text != "true" && text != "false" && text != "null" {
				return nil, nil, false
			}
		default:
			return nil, nil, false
		}
	}
	return members["content"], members["structuredContent"], true
}

func isList(data json.RawMessage) bool { return len(data) > 0 && data[0] == '[' }

func isEmptyList(data json.RawMessage) bool {
	var list []json.RawMessage
	return json.Unmarshal(data, &list) == nil && len(list) == 0
}
