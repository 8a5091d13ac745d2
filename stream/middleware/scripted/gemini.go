package scripted

import "fmt"

// gemini is the interface of Gemini.
type gemini struct{}

func (gemini) whole(n int, r Request, reply Reply) object {
	var candidates []any
	for i, text := range reply.texts() {
		var parts []any
		if reply.Reasoning != "" {
			parts = append(parts, object{{"text", reply.Reasoning}, {"thought", true}})
		}
		parts = append(parts, object{{"text", text}})
		candidates = append(candidates, candidate(i, parts, reply.finish()))
	}
	return geminiChunk(n, r, candidates, reply.tokens())
}

func (gemini) stream(n int, r Request, reply Reply, s Shape) []event {
	var events []event
	send := func(i int, part object, finish string) {
		candidates := []any{candidate(i, []any{part}, finish)}
		chunk := geminiChunk(n, r, candidates, reply.tokens())
		events = append(events, event{data: encode(chunk)})
	}
	texts := reply.texts()
	for i := range texts {
		for _, piece := range s.deltas(reply.Reasoning) {
			send(i, object{{"text", piece}, {"thought", true}}, "")
		}
	}
	eachInTurn(texts, s, func(i int, piece string) { send(i, object{{"text", piece}}, "") })
	for i := range texts {
		send(i, object{{"text", ""}}, reply.finish())
	}
	return events
}

// candidate returns one of the answers, or a piece of it; finish is why the model
// ended, if it has.
func candidate(index int, parts []any, finish string) object {
	o := object{{"content", object{{"parts", parts}, {"role", "model"}}}}
	switch finish {
	case "":
	case "stop":
		o = append(o, member{"finishReason", "STOP"})
	case "length":
		o = append(o, member{"finishReason", "MAX_TOKENS"})
	default:
		o = append(o, member{"finishReason", finish})
	}
	return append(o, member{"index", index})
}

// geminiChunk returns a chunk, with the usage so far.
func geminiChunk(n int, r Request, candidates []any, out int) object {
	in := tokens(string(r.Body))
	return object{
		{"candidates", candidates},
		{"usageMetadata", object{
			{"promptTokenCount", in}, {"candidatesTokenCount", out}, {"totalTokenCount", in + out},
		}},
		{"modelVersion", "scripted"},
		{"responseId", fmt.Sprintf("scripted%d", n+1)},
	}
}
