package scripted

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// A refusal is why the real API would refuse a request.
type refusal struct {
	status  int
	message string
	code    string // in the details of Anthropic's errors
}

func refused(format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, message: fmt.Sprintf(format, args...)}
}

// reply returns the refusal as an answer.
func (r *refusal) reply() Reply {
	details := "null"
	if r.code != "" {
		details = fmt.Sprintf(`{"error_code":%q}`, r.code)
	}
	return Reply{Status: r.status, Raw: fmt.Sprintf(`{"type":"error","error":`+
		`{"type":"invalid_request_error","message":%s,"details":%s}}`, quote(r.message), details)}
}

// refusal returns why the real API would refuse a request under [Model.Strict]; nil if it
// would not.
func (m *Model) refusal(sent *http.Request, r Request) *refusal {
	if !m.Strict || sent.Method != http.MethodPost {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.requests)
	var body map[string]json.RawMessage
	err := json.Unmarshal(r.Body, &body)
	if err != nil {
		return refused("the body is not JSON: %v", err)
	}
	why := refuseSchemas(body)
	if why != nil {
		return why
	}
	switch r.api() {
	case geminiAPI:
		return refuseContents(r.conversation())
	case responsesAPI:
		return refuseItems(n, body["input"])
	case messagesAPI:
		why = m.refuseThread(n, body["thread"])
		if why != nil {
			return why
		}
		return refuseBlocks(r.conversation())
	}
	return nil
}

// refuseContents refuses empty Gemini contents.
func refuseContents(c conversation) *refusal {
	for i, content := range c.Contents {
		var parts []map[string]json.RawMessage
		json.Unmarshal(content.Parts, &parts)
		if len(parts) == 0 {
			return refused("contents[%d].parts must not be empty", i)
		}
		for k, part := range parts {
			if len(part) == 0 || len(part) == 1 && string(part["text"]) == `""` {
				return refused("contents[%d].parts[%d] must have data", i, k)
			}
		}
	}
	return nil
}

// refuseItems refuses items of responses with ids that the model did not issue, and
// reasoning without the item that it produced.
func refuseItems(n int, input json.RawMessage) *refusal {
	var items []struct{ Type, ID string }
	json.Unmarshal(input, &items)
	issued := make(map[string]bool)
	for i := range n {
		issued[fmt.Sprintf("rs_scripted%d", i+1)] = true
		issued[fmt.Sprintf("msg_scripted%d", i+1)] = true
	}
	for i, item := range items {
		if item.ID != "" && !issued[item.ID] {
			return refused("item with id %q not found", item.ID)
		}
		follows := i+1 < len(items) && items[i+1].ID != ""
		if item.Type == "reasoning" && item.ID != "" && !follows {
			return refused("item %q of type \"reasoning\" was provided "+
				"without its required following item", item.ID)
		}
	}
	return nil
}

// refuseBlocks refuses messages of Anthropic's without text.
func refuseBlocks(c conversation) *refusal {
	for i, m := range c.Messages {
		var blocks []struct{ Type, Text string }
		json.Unmarshal(m.Content, &blocks)
		for _, b := range blocks {
			if b.Type == "text" && strings.TrimSpace(b.Text) == "" {
				return refused("messages.%d: text content blocks must contain non-whitespace text",
					i)
			}
		}
	}
	return nil
}

// refuseThread refuses to continue a message of a thread twice, or one that isn't part
// of a thread.
func (m *Model) refuseThread(n int, field json.RawMessage) *refusal {
	var thread struct {
		Type     string
		Previous string `json:"previous_message_id"`
	}
	json.Unmarshal(field, &thread)
	if m.threads == nil {
		m.threads = make(map[string]bool)
	}
	if thread.Type == "continue" {
		open, known := m.threads[thread.Previous]
		if !known {
			return &refusal{http.StatusNotFound, "no usable thread state was found",
				"thread_not_found"}
		}
		if !open {
			return &refusal{http.StatusBadRequest, "the response has already been continued",
				"thread_already_continued"}
		}
		m.threads[thread.Previous] = false
	}
	if thread.Type != "" {
		m.threads[fmt.Sprintf("msg_scripted%d", n+1)] = true
	}
	return nil
}

// refuseSchemas refuses schemas that claim to be strict and aren't.
func refuseSchemas(body map[string]json.RawMessage) *refusal {
	type function struct {
		Name       string
		Strict     bool
		Parameters json.RawMessage
		Schema     json.RawMessage
		Function   *function
	}
	var tools []function
	json.Unmarshal(body["tools"], &tools)
	var format struct {
		Schema function `json:"json_schema"`
	}
	json.Unmarshal(body["response_format"], &format)
	for _, f := range append(tools, format.Schema) {
		if f.Function != nil {
			f = *f.Function
		}
		schema := f.Parameters
		if schema == nil {
			schema = f.Schema
		}
		if f.Strict && !isStrict(schema) {
			return refused("invalid schema for %q: additionalProperties must be false, "+
				"and all properties required", f.Name)
		}
	}
	return nil
}

// isStrict reports whether every object in a schema lists all its properties as
// required and allows no others.
func isStrict(schema json.RawMessage) bool {
	var s struct {
		Properties map[string]json.RawMessage
		Required   []string
		Additional any `json:"additionalProperties"`
		Items      json.RawMessage
	}
	json.Unmarshal(schema, &s)
	if s.Properties != nil && (s.Additional != false || len(s.Required) != len(s.Properties)) {
		return false
	}
	for _, p := range s.Properties {
		if !isStrict(p) {
			return false
		}
	}
	return s.Items == nil || isStrict(s.Items)
}
