package scripted

// ollama is the interface of Ollama, whose streams have a chunk in each line.
type ollama struct{}

func (ollama) whole(_ int, r Request, reply Reply) object {
	message := object{{"role", "assistant"}, {"content", reply.Text}}
	if reply.Reasoning != "" {
		message = append(message, member{"thinking", reply.Reasoning})
	}
	return ollamaEnd(r, reply, message)
}

func (ollama) stream(_ int, r Request, reply Reply, s Shape) []event {
	var events []event
	send := func(chunk object) {
		line := string(encode(chunk))
		if s.ASCII {
			line = escape(line)
		}
		events = append(events, event{verbatim: []byte(line + "\n")})
	}
	going := func(message object) {
		send(append(ollamaHead(r), member{"message", message}, member{"done", false}))
	}
	for _, piece := range s.deltas(reply.Reasoning) {
		going(object{{"role", "assistant"}, {"content", ""}, {"thinking", piece}})
	}
	for _, piece := range s.deltas(reply.Text) {
		going(object{{"role", "assistant"}, {"content", piece}})
	}
	send(ollamaEnd(r, reply, object{{"role", "assistant"}, {"content", ""}}))
	return events
}

// ollamaHead returns the members with which every chunk begins.
func ollamaHead(r Request) object {
	return object{{"model", r.conversation().Model}, {"created_at", "2023-11-14T22:13:20Z"}}
}

// ollamaEnd returns the last chunk, or a whole answer.
func ollamaEnd(r Request, reply Reply, message object) object {
	return append(ollamaHead(r),
		member{"message", message}, member{"done_reason", reply.finish()}, member{"done", true},
		member{"total_duration", 3000}, member{"load_duration", 1000},
		member{"prompt_eval_count", tokens(string(r.Body))}, member{"prompt_eval_duration", 1000},
		member{"eval_count", reply.tokens()}, member{"eval_duration", 1000})
}
