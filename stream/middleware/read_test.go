package middleware

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"
)

// A chatCall is a call as a client sees it.
type chatCall struct{ ID, Name, Arguments string }

// A clientReply is what a client makes of a response of any API.
type clientReply struct {
	Text, Finish, Usage string
	Calls               []chatCall
	id                  string
}

// readReply reads a response, streamed or whole, as a client does, and checks that it follows the
// protocol of its API.
func readReply(t testing.TB, path, out string) (r clientReply) {
	t.Helper()
	events := eventsOf(t, out)
	switch {
	case path == "/responses":
		r.readItems(t, events)
	case path == messages || strings.HasSuffix(path, "RawPredict"):
		r.readBlocks(t, events)
	default:
		key := "delta"
		if strings.HasPrefix(out, "{") {
			key = "message"
		}
		for _, e := range events {
			r.readChunk(t, e, key)
		}
	}
	return r
}

func readChat(t testing.TB, out string) clientReply {
	t.Helper()
	return readReply(t, chat, out)
}

// tree is JSON of an object.
type tree map[string]any

func (t tree) tree(key string) tree { sub, _ := t[key].(map[string]any); return sub }

func (t tree) text(key string) string { text, _ := t[key].(string); return text }

func (t tree) number(key string) int { n, _ := t[key].(float64); return int(n) }

func (t tree) list(key string) (list []tree) {
	all, _ := t[key].([]any)
	for _, e := range all {
		list = append(list, e.(map[string]any))
	}
	return list
}

// add adds to a text.
func (t tree) add(key, text string) { t[key] = t.text(key) + text }

// json returns a value as JSON, and a text as it is.
func (t tree) json(key string) string {
	if text, ok := t[key].(string); ok {
		return text
	}
	data, _ := json.Marshal(t[key])
	return string(data)
}

// eventsOf returns the events of a stream, or a whole response as its only event.
func eventsOf(t testing.TB, out string) (events []tree) {
	t.Helper()
	take := func(e tree, err error) {
		if err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		events = append(events, e)
	}
	if strings.HasPrefix(strings.TrimLeft(out, "\r\n"), "{") {
		for in := json.NewDecoder(strings.NewReader(out)); ; {
			var e tree
			err := in.Decode(&e)
			if err == io.EOF {
				return events
			}
			take(e, err)
		}
	}
	in := newFrames(strings.NewReader(out), false, 1<<30)
	for in.next() {
		if len(in.data) == 0 || bytes.HasPrefix(in.data, doneMark) {
			continue
		}
		var e tree
		err := json.Unmarshal(in.data, &e)
		take(e, err)
		if kind := e.text("type"); kind != "" && in.name != kind {
			t.Errorf("event %q is of type %q", in.name, kind)
		}
	}
	return events
}

// readChunk reads a chunk, or a whole response in the same form. All of a response have one id.
// Clients of Gemini's drop a message with a chunk whose content is empty.
func (r *clientReply) readChunk(t testing.TB, e tree, key string) {
	t.Helper()
	id := e.text("id") + e.text("responseId")
	if id != "" && r.id != "" && id != r.id {
		t.Errorf("the id is %s after %s", id, r.id)
	}
	r.id += strings.TrimPrefix(id, r.id)
	for _, choice := range e.list("choices") {
		r.readMessage(choice.tree(key), choice.text("finish_reason"))
	}
	for _, candidate := range e.list("candidates") {
		content, finish := candidate.tree("content"), candidate.text("finishReason")
		r.readMessage(content, finish)
		parts := fmt.Sprint(content["parts"])
		if content != nil && finish == "" && (parts == "[]" || parts == "[map[text:]]") {
			t.Errorf("an empty content in %v", e)
		}
	}
	r.readMessage(e.tree("message"), e.text("done_reason"))
	for _, n := range []any{
		e.tree("usage")["total_tokens"], e.tree("usageMetadata")["totalTokenCount"],
	} {
		if n != nil {
			r.Usage = fmt.Sprint(n)
		}
	}
	if e["prompt_eval_count"] != nil {
		r.Usage = fmt.Sprint(e.number("prompt_eval_count") + e.number("eval_count"))
	}
}

// readMessage reads a message, or a piece of one.
func (r *clientReply) readMessage(m tree, finish string) {
	r.Text += m.text("content")
	if finish != "" {
		r.Finish = finish
	}
	for _, part := range append(m.list("content"), m.list("parts")...) {
		if call := part.tree("functionCall"); call != nil {
			r.Calls = append(r.Calls, chatCall{call.text("id"), call.text("name"), call.json("args")})
		} else if part["thought"] == nil {
			r.Text += part.text("text")
		}
	}
	for _, call := range m.list("tool_calls") {
		f := call.tree("function")
		if at := call.number("index"); call["index"] != nil && at < len(r.Calls) {
			r.Calls[at].Arguments += f.json("arguments")
			continue
		}
		r.Calls = append(r.Calls, chatCall{call.text("id"), f.text("name"), f.json("arguments")})
	}
}

// readBlocks reads a message of Anthropic's.
func (r *clientReply) readBlocks(t testing.TB, events []tree) {
	t.Helper()
	var blocks []tree
	isOpen, usage := false, tree{}
	for _, e := range events {
		maps.Copy(usage, e.tree("message").tree("usage"))
		maps.Copy(usage, e.tree("usage"))
		kind, delta := e.text("type"), e.tree("delta")
		isBlock := strings.HasPrefix(kind, "content_block_")
		isStart := kind == "content_block_start"
		switch {
		case isStart:
			blocks = append(blocks, e.tree("content_block"))
		case kind == "content_block_delta" && isOpen:
			blocks[len(blocks)-1].add("text", delta.text("text"))
			blocks[len(blocks)-1].add("json", delta.text("partial_json"))
		case kind == "message":
			blocks, r.Finish = e.list("content"), e.text("stop_reason")
		case kind == "message_delta":
			r.Finish = delta.text("stop_reason")
		}
		if isBlock && (isStart == isOpen || e.number("index") != len(blocks)-1) {
			t.Fatalf("%v after %d blocks, the last of them open: %t", e, len(blocks), isOpen)
		}
		if isBlock {
			isOpen = kind != "content_block_stop"
		}
		if kind == "message_stop" && isOpen {
			t.Errorf("a block is open at the end")
		}
	}
	r.Usage = fmt.Sprint(usage.number("input_tokens") + usage.number("output_tokens"))
	for _, b := range blocks {
		r.Text += b.text("text")
		if b.text("type") == "tool_use" {
			input := b.text("json")
			if input == "" {
				input = b.json("input")
			}
			r.Calls = append(r.Calls, chatCall{b.text("id"), b.text("name"), input})
		}
	}
}

// readItems reads a response of the Responses API. What comes in pieces must be what comes as a
// whole, in the end of an item and in that of the response.
func (r *clientReply) readItems(t testing.TB, events []tree) {
	t.Helper()
	var items []tree
	open := make(map[int]bool)
	var response tree
	for i, e := range events {
		kind, at, part := e.text("type"), e.number("output_index"), e.number("content_index")
		isStart := kind == "response.output_item.added"
		isWrong := e.number("sequence_number") != i && kind != "" || response != nil ||
			e["output_index"] != nil && (isStart != (at == len(items)) || !isStart && !open[at])
		if isWrong {
			t.Fatalf("event %d after %d items: %v", i, len(items), e)
		}
		switch kind {
		case "response.output_item.added":
			items, open[at] = append(items, e.tree("item")), true
			for _, other := range items[:at] {
				if other.text("id") == items[at].text("id") {
					t.Fatalf("a second item %s", other.text("id"))
				}
			}
		case "response.content_part.added":
			content := items[at]["content"].([]any)
			items[at]["content"] = append(content, e["part"])
		case "response.output_text.delta":
			items[at].list("content")[part].add("text", e.text("delta"))
		case "response.output_text.done":
			if text := items[at].list("content")[part].text("text"); text != e.text("text") {
				t.Fatalf("the deltas are %q, the text is %q", text, e.text("text"))
			}
		case "response.function_call_arguments.delta":
			items[at].add("arguments", e.text("delta"))
		case "response.output_item.done":
			if a, b := spoken(items[at]), spoken(e.tree("item")); a != b {
				t.Fatalf("the item %s is %s in the end", a, b)
			}
			items[at], open[at] = e.tree("item"), false
		case "response.completed", "response.incomplete":
			response = e.tree("response")
		case "":
			response, items = e, e.list("output")
		}
	}
	if response != nil && fmt.Sprint(items) != fmt.Sprint(response.list("output")) {
		t.Fatalf("the items are\n%v, in the end\n%v", items, response["output"])
	}
	r.Finish, r.Usage = response.text("status"), fmt.Sprint(response.tree("usage").number("total_tokens"))
	for _, item := range items {
		for _, part := range item.list("content") {
			r.Text += part.text("text")
		}
		if item.text("type") == "function_call" {
			r.Calls = append(r.Calls, chatCall{item.text("call_id"), item.text("name"), item.text("arguments")})
		}
	}
}

// spoken returns what the deltas of an item add up to.
func spoken(item tree) string {
	s := item.text("id") + item.text("name") + item.text("arguments")
	for _, part := range item.list("content") {
		s += " " + part.text("text")
	}
	return s
}
