package actor

import (
	"encoding/json"
	"fmt"
	"strings"
)

// answer is what a model answers.
type answer struct {
	text          string
	calls         []nativeCall
	input, output int // tokens
}

type nativeCall struct{ name, arguments string }

type object map[string]any

// finish says in the words of an API why the message ends.
func (a *answer) finish(anthropic bool) string {
	switch {
	case anthropic && len(a.calls) > 0:
		return "tool_use"
	case anthropic:
		return "end_turn"
	case len(a.calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (a *answer) usage(anthropic bool) object {
	if anthropic {
		return object{"input_tokens": a.input, "output_tokens": a.output}
	}
	return object{"prompt_tokens": a.input, "completion_tokens": a.output, "total_tokens": a.input + a.output}
}

// whole returns an answer that is not streamed.
func (a *answer) whole(anthropic bool) string {
	if anthropic {
		content := []object{{"type": "text", "text": a.text}}
		for i, c := range a.calls {
			content = append(content, object{"type": "tool_use", "id": id(i), "name": c.name, "input": c.input()})
		}
		return encode(object{"type": "message", "role": "assistant", "content": content, "stop_reason": a.finish(true), "usage": a.usage(true)})
	}
	message := object{"role": "assistant", "content": a.text}
	var calls []object
	for i, c := range a.calls {
		calls = append(calls, object{"id": id(i), "type": "function", "function": object{"name": c.name, "arguments": c.arguments}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return encode(object{"object": "chat.completion", "choices": []object{{"index": 0, "message": message, "finish_reason": a.finish(false)}}, "usage": a.usage(false)})
}

// input returns the arguments for an API that has no place for wrong JSON.
func (c nativeCall) input() any {
	if json.Valid([]byte(c.arguments)) {
		return json.RawMessage(c.arguments)
	}
	return c.arguments
}

func id(i int) string { return fmt.Sprintf("call_scripted_%d", i) }

// stream returns the events of an answer.
func (a *answer) stream(anthropic bool) []string {
	if anthropic {
		return a.anthropicStream()
	}
	var events []string
	send := func(delta object, finish any) {
		events = append(events, "data: "+encode(object{"object": "chat.completion.chunk",
			"choices": []object{{"index": 0, "delta": delta, "finish_reason": finish}}})+"\n\n")
	}
	send(object{"role": "assistant", "content": ""}, nil)
	for _, piece := range pieces(a.text) {
		send(object{"content": piece}, nil)
	}
	for i, c := range a.calls {
		send(object{"tool_calls": []object{{"index": i, "id": id(i), "type": "function", "function": object{"name": c.name, "arguments": ""}}}}, nil)
		for _, piece := range pieces(c.arguments) {
			send(object{"tool_calls": []object{{"index": i, "function": object{"arguments": piece}}}}, nil)
		}
	}
	send(object{}, a.finish(false))
	return append(events, "data: "+encode(object{"choices": []object{}, "usage": a.usage(false)})+"\n\n", "data: [DONE]\n\n")
}

func (a *answer) anthropicStream() []string {
	var events []string
	send := func(kind string, data object) {
		data["type"] = kind
		events = append(events, "event: "+kind+"\ndata: "+encode(data)+"\n\n")
	}
	send("message_start", object{"message": object{"role": "assistant", "content": []object{}, "usage": object{"input_tokens": a.input, "output_tokens": 1}}})
	index := 0
	block := func(begin object, deltas []object) {
		send("content_block_start", object{"index": index, "content_block": begin})
		for _, d := range deltas {
			send("content_block_delta", object{"index": index, "delta": d})
		}
		send("content_block_stop", object{"index": index})
		index++
	}
	if a.text != "" {
		var deltas []object
		for _, piece := range pieces(a.text) {
			deltas = append(deltas, object{"type": "text_delta", "text": piece})
		}
		block(object{"type": "text", "text": ""}, deltas)
	}
	for i, c := range a.calls {
		var deltas []object
		for _, piece := range pieces(c.arguments) {
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": piece})
		}
		block(object{"type": "tool_use", "id": id(i), "name": c.name, "input": object{}}, deltas)
	}
	send("message_delta", object{"delta": object{"stop_reason": a.finish(true)}, "usage": object{"output_tokens": a.output}})
	send("message_stop", object{})
	return events
}

// pieces cuts a text as models stream it: a few words at a time.
func pieces(text string) []string {
	const words = 3
	var list []string
	for i, word := range strings.SplitAfter(text, " ") {
		if i%words == 0 {
			list = append(list, "")
		}
		list[len(list)-1] += word
	}
	return list
}

func encode(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(v) // maps and strings always encode
	return strings.TrimSuffix(b.String(), "\n")
}
