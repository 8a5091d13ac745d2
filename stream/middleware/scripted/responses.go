package scripted

import "fmt"

// responses is the interface of responses.
type responses struct{}

func (responses) whole(n int, r Request, reply Reply) object {
	reply.More = nil
	return response(n, r, reply, responseStatus(reply), responseOutput(n, reply, "completed"))
}

// responseStatus returns how a response ends.
func responseStatus(reply Reply) string {
	if reply.finish() == "stop" {
		return "completed"
	}
	return "incomplete"
}

// responseOutput returns the items of a response.
func responseOutput(n int, reply Reply, status string) []any {
	var output []any
	if reply.Reasoning != "" {
		output = append(output, reasoningItem(n, reply.Reasoning))
	}
	return append(output, messageItem(n, status, []any{outputText(reply.Text)}))
}

func reasoningItem(n int, text string) object {
	return object{
		{"id", fmt.Sprintf("rs_scripted%d", n+1)}, {"type", "reasoning"},
		{"summary", []any{summaryText(text)}},
	}
}

func messageItem(n int, status string, content []any) object {
	return object{
		{"id", fmt.Sprintf("msg_scripted%d", n+1)}, {"type", "message"},
		{"status", status}, {"role", "assistant"}, {"content", content},
	}
}

func outputText(text string) object {
	return object{
		{"type", "output_text"}, {"text", text}, {"annotations", []any{}}, {"logprobs", []any{}},
	}
}

func summaryText(text string) object {
	return object{{"type", "summary_text"}, {"text", text}}
}

// response returns a response with these items.
func response(n int, r Request, reply Reply, status string, output []any) object {
	c := r.conversation()
	var usage, details, instructions any
	if status != "in_progress" {
		in, out := tokens(string(r.Body)), reply.tokens()
		usage = object{
			{"input_tokens", in}, {"input_tokens_details", object{{"cached_tokens", 0}}},
			{"output_tokens", out}, {"output_tokens_details", object{{"reasoning_tokens", 0}}},
			{"total_tokens", in + out},
		}
	}
	if status == "incomplete" {
		reasons := map[string]string{"length": "max_output_tokens"}
		details = object{{"reason", reasons[reply.finish()]}}
	}
	if c.Instructions != "" {
		instructions = c.Instructions
	}
	declared := []any{}
	for _, t := range c.Tools {
		declared = append(declared, t)
	}
	return object{
		{"id", fmt.Sprintf("resp_scripted%d", n+1)}, {"object", "response"},
		{"created_at", created}, {"status", status},
		{"error", nil}, {"incomplete_details", details},
		{"instructions", instructions}, {"max_output_tokens", nil},
		{"model", c.Model}, {"output", output},
		{"parallel_tool_calls", true}, {"previous_response_id", nil},
		{"store", true}, {"temperature", 1.0},
		{"text", object{{"format", object{{"type", "text"}}}}},
		{"tool_choice", "auto"}, {"tools", declared}, {"top_p", 1.0},
		{"truncation", "disabled"}, {"usage", usage}, {"metadata", object{}},
	}
}

func (responses) stream(n int, r Request, reply Reply, s Shape) []event {
	reply.More = nil
	var events []event
	send := func(kind string, members ...member) {
		o := append(object{{"type", kind}, {"sequence_number", len(events)}}, members...)
		events = append(events, event{name: kind, data: encode(o)})
	}
	begun := response(n, r, reply, "in_progress", []any{})
	send("response.created", member{"response", begun})
	send("response.in_progress", member{"response", begun})
	index := 0
	if reply.Reasoning != "" {
		item := reasoningItem(n, reply.Reasoning)
		place := []member{{"item_id", item[0].value}, {"output_index", index}, {"summary_index", 0}}
		send("response.output_item.added", member{"output_index", index},
			member{"item", append(item[:2:2], member{"summary", []any{}})})
		send("response.reasoning_summary_part.added",
			append(place[:3:3], member{"part", summaryText("")})...)
		for _, piece := range s.deltas(reply.Reasoning) {
			send("response.reasoning_summary_text.delta",
				append(place[:3:3], member{"delta", piece})...)
		}
		send("response.reasoning_summary_text.done",
			append(place[:3:3], member{"text", reply.Reasoning})...)
		send("response.reasoning_summary_part.done",
			append(place[:3:3], member{"part", summaryText(reply.Reasoning)})...)
		send("response.output_item.done", member{"output_index", index}, member{"item", item})
		index++
	}
	item := messageItem(n, "in_progress", []any{})
	place := []member{{"item_id", item[0].value}, {"output_index", index}, {"content_index", 0}}
	send("response.output_item.added", member{"output_index", index}, member{"item", item})
	send("response.content_part.added", append(place[:3:3], member{"part", outputText("")})...)
	for _, piece := range s.deltas(reply.Text) {
		send("response.output_text.delta",
			append(place[:3:3], member{"delta", piece}, member{"logprobs", []any{}})...)
	}
	send("response.output_text.done",
		append(place[:3:3], member{"text", reply.Text}, member{"logprobs", []any{}})...)
	send("response.content_part.done",
		append(place[:3:3], member{"part", outputText(reply.Text)})...)
	status := responseStatus(reply)
	send("response.output_item.done", member{"output_index", index},
		member{"item", messageItem(n, status, []any{outputText(reply.Text)})})
	send("response."+status,
		member{"response", response(n, r, reply, status, responseOutput(n, reply, status))})
	return events
}
