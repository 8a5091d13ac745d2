package scripted

import "fmt"

// anthropic is the interface of messages.
type anthropic struct{}

func (anthropic) whole(n int, r Request, reply Reply) object {
	reply.More = nil
	var content []any
	if reply.Reasoning != "" {
		content = append(content,
			object{{"type", "thinking"}, {"thinking", reply.Reasoning}, {"signature", signature}})
	}
	content = append(content, object{{"type", "text"}, {"text", reply.Text}})
	return anthropicMessage(n, r, content, reply.stopReason(), reply.tokens())
}

// signature replaces that of a thinking block.
const signature = "c2NyaXB0ZWQ="

func (anthropic) stream(n int, r Request, reply Reply, s Shape) []event {
	reply.More = nil
	var events []event
	send := func(kind string, members ...member) {
		events = append(events,
			event{name: kind, data: encode(append(object{{"type", kind}}, members...))})
	}
	index := 0
	block := func(begin object, deltas []object) {
		send("content_block_start", member{"index", index}, member{"content_block", begin})
		for i, delta := range deltas {
			if i == 1 && index == 0 {
				send("ping")
			}
			send("content_block_delta", member{"index", index}, member{"delta", delta})
		}
		send("content_block_stop", member{"index", index})
		index++
	}

	send("message_start", member{"message", anthropicMessage(n, r, []any{}, nil, 1)})
	if reply.Reasoning != "" {
		var deltas []object
		for _, piece := range s.deltas(reply.Reasoning) {
			deltas = append(deltas, object{{"type", "thinking_delta"}, {"thinking", piece}})
		}
		deltas = append(deltas, object{{"type", "signature_delta"}, {"signature", signature}})
		block(object{{"type", "thinking"}, {"thinking", ""}, {"signature", ""}}, deltas)
	}
	var deltas []object
	for _, piece := range s.deltas(reply.Text) {
		deltas = append(deltas, object{{"type", "text_delta"}, {"text", piece}})
	}
	block(object{{"type", "text"}, {"text", ""}}, deltas)
	send("message_delta",
		member{"delta", object{{"stop_reason", reply.stopReason()}, {"stop_sequence", nil}}},
		member{"usage", object{{"output_tokens", reply.tokens()}}})
	send("message_stop")
	return events
}

func anthropicMessage(n int, r Request, content []any, stop any, out int) object {
	return object{
		{"id", fmt.Sprintf("msg_scripted%d", n+1)},
		{"type", "message"},
		{"role", "assistant"},
		{"model", r.conversation().Model},
		{"content", content},
		{"stop_reason", stop},
		{"stop_sequence", nil},
		{"usage", object{{"input_tokens", tokens(string(r.Body))}, {"output_tokens", out}}},
	}
}

// stopReason returns why the model ended, in Anthropic's words.
func (r Reply) stopReason() string {
	switch r.Finish {
	case "", "stop":
		return "end_turn"
	case "length":
		return "max_tokens"
	case "content_filter":
		return "refusal"
	}
	return r.Finish
}
