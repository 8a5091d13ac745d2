package scripted

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// refused returns what an API answers to a request that it doesn't accept.
func refused(format string, args ...any) *Reply {
	return failure(http.StatusBadRequest, "", fmt.Sprintf(format, args...))
}

// refusal returns what the real API would answer under [Model.Strict] if it refused a
// request; nil if it would not.
func (m *Model) refusal(r Request) *Reply {
	if !m.Strict || r.Method != http.MethodPost {
		return nil
	}
	n := len(m.requests)
	body := rawjson.ParseObject(r.Body)
	if !rawjson.Valid(r.Body) || body == nil {
		return refused("the body is not a JSON object")
	}
	why := refuseSchemas(body)
	if why != nil {
		return why
	}
	switch r.api() {
	case geminiAPI:
		return refuseEmpty(body.Array("contents"), "parts")
	case responsesAPI:
		return refuseItems(n, body)
	case messagesAPI:
		why = m.refuseThread(n, body.Object("thread"))
		if why != nil {
			return why
		}
		return refuseEmpty(body.Array("messages"), "content")
	}
	return nil
}

// refuseEmpty refuses messages with nothing in their content, a list of parts.
func refuseEmpty(messages [][]byte, content string) *Reply {
	for i, message := range messages {
		parts := rawjson.ParseObject(message).Array(content)
		if len(parts) == 0 && content == "parts" {
			return refused("contents[%d].parts must not be empty", i)
		}
		for k, raw := range parts {
			part := rawjson.ParseObject(raw)
			isText := len(part) == 1 || part.Text("type") == "text"
			isBlank := part.Has("text") && strings.TrimSpace(part.Text("text")) == ""
			if len(part) == 0 || isText && isBlank {
				return refused("messages.%d: part %d must have data", i, k)
			}
		}
	}
	return nil
}

// refuseItems refuses items of responses with ids that the model did not issue, and
// reasoning without the item that it produced.
func refuseItems(n int, body rawjson.Object) *Reply {
	issued := make(map[string]bool)
	for i := range n {
		issued[fmt.Sprintf("rs_scripted%d", i+1)] = true
		issued[fmt.Sprintf("msg_scripted%d", i+1)] = true
	}
	items := body.Array("input")
	for i, raw := range items {
		item := rawjson.ParseObject(raw)
		id := item.Text("id")
		if id != "" && !issued[id] {
			return refused("item with id %q not found", id)
		}
		follows := i+1 < len(items) && rawjson.ParseObject(items[i+1]).Text("id") != ""
		if item.Text("type") == "reasoning" && id != "" && !follows {
			return refused("item %q of type \"reasoning\" was provided "+
				"without its required following item", id)
		}
	}
	return nil
}

// refuseThread refuses to continue a message of a thread twice, or one that isn't part
// of a thread.
func (m *Model) refuseThread(n int, thread rawjson.Object) *Reply {
	if m.threads == nil {
		m.threads = make(map[string]bool)
	}
	kind, previous := thread.Text("type"), thread.Text("previous_message_id")
	open, known := m.threads[previous]
	switch {
	case kind == "continue" && !known:
		return failure(http.StatusNotFound, "thread_not_found", "no usable thread state was found")
	case kind == "continue" && !open:
		return failure(http.StatusBadRequest, "thread_already_continued",
			"the response has already been continued")
	case kind == "continue":
		m.threads[previous] = false
	}
	if kind != "" {
		m.threads[fmt.Sprintf("msg_scripted%d", n+1)] = true
	}
	return nil
}

// refuseSchemas refuses schemas that claim to be strict and aren't.
func refuseSchemas(body rawjson.Object) *Reply {
	formats := [][]byte{
		body.Object("response_format").Get("json_schema"), body.Object("text").Get("format"),
	}
	for _, raw := range append(body.Array("tools"), formats...) {
		f := rawjson.ParseObject(raw)
		if f.Has("function") {
			f = f.Object("function")
		}
		schema := f.Object("parameters")
		if schema == nil {
			schema = f.Object("schema")
		}
		if string(f.Get("strict")) == "true" && !isStrict(schema) {
			return refused("invalid schema for %q: additionalProperties must be false, "+
				"and all properties required", f.Text("name"))
		}
	}
	return nil
}

// isStrict reports whether every object in a schema lists all its properties as
// required and allows no others.
func isStrict(schema rawjson.Object) bool {
	properties := schema.Object("properties")
	isClosed := string(schema.Get("additionalProperties")) == "false"
	if properties != nil && (!isClosed || len(schema.Array("required")) != len(properties)) {
		return false
	}
	for _, p := range properties {
		if !isStrict(rawjson.ParseObject(p.Value)) {
			return false
		}
	}
	items := schema.Object("items")
	return items == nil || isStrict(items)
}
