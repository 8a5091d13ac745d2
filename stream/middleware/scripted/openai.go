package scripted

import "fmt"

// created is when every answer was made.
const created = 1700000000

// openAI is the interface of chat completions.
type openAI struct{}

func (openAI) whole(n int, r Request, reply Reply) object {
	var choices []any
	for i, text := range reply.texts() {
		message := object{{"role", "assistant"}, {"content", text}, {"refusal", nil}}
		if reply.Reasoning != "" {
			message = append(message, member{"reasoning_content", reply.Reasoning})
		}
		choices = append(choices, object{
			{"index", i}, {"message", message}, {"logprobs", nil},
			{"finish_reason", reply.finish()},
		})
	}
	return append(openAIHead(n, r, "chat.completion"),
		member{"choices", choices}, member{"usage", openAIUsage(r, reply)})
}

func (openAI) stream(n int, r Request, reply Reply, s Shape) []event {
	var events []event
	usage := r.conversation().StreamOptions.IncludeUsage
	chunk := func(choices []any, sum any) {
		o := append(openAIHead(n, r, "chat.completion.chunk"), member{"choices", choices})
		if usage {
			o = append(o, member{"usage", sum})
		}
		events = append(events, event{data: encode(o)})
	}
	choice := func(i int, delta object, finish any) {
		choice := object{
			{"index", i}, {"delta", delta}, {"logprobs", nil}, {"finish_reason", finish},
		}
		chunk([]any{choice}, nil)
	}
	texts := reply.texts()
	for i := range texts {
		choice(i, object{{"role", "assistant"}, {"content", ""}, {"refusal", nil}}, nil)
		for _, piece := range s.deltas(reply.Reasoning) {
			choice(i, object{{"reasoning_content", piece}}, nil)
		}
	}
	eachInTurn(texts, s, func(i int, piece string) {
		choice(i, object{{"content", piece}}, nil)
	})
	for i := range texts {
		choice(i, object{}, reply.finish())
	}
	if usage {
		chunk([]any{}, openAIUsage(r, reply))
	}
	if !s.NoDone {
		events = append(events, event{data: []byte("[DONE]")})
	}
	return events
}

// eachInTurn calls f with the deltas of texts, which the model writes at the
// same time.
func eachInTurn(texts []string, s Shape, f func(i int, piece string)) {
	deltas := make([][]string, len(texts))
	left := 0
	for i, text := range texts {
		deltas[i] = s.deltas(text)
		left += len(deltas[i])
	}
	for left > 0 {
		for i, d := range deltas {
			if len(d) > 0 {
				f(i, d[0])
				deltas[i] = d[1:]
				left--
			}
		}
	}
}

// openAIHead returns the members with which every answer begins.
func openAIHead(n int, r Request, kind string) object {
	return object{
		{"id", fmt.Sprintf("chatcmpl-scripted%d", n+1)},
		{"object", kind},
		{"created", created},
		{"model", r.conversation().Model},
		{"system_fingerprint", "fp_scripted"},
	}
}

func openAIUsage(r Request, reply Reply) object {
	in, out := tokens(string(r.Body)), reply.tokens()
	return object{{"prompt_tokens", in}, {"completion_tokens", out}, {"total_tokens", in + out}}
}

// texts returns the texts of all choices.
func (r Reply) texts() []string { return append([]string{r.Text}, r.More...) }

// finish returns why the model ended.
func (r Reply) finish() string {
	if r.Finish == "" {
		return "stop"
	}
	return r.Finish
}

// tokens returns how many tokens the model wrote.
func (r Reply) tokens() int {
	n := tokens(r.Reasoning)
	for _, text := range r.texts() {
		n += tokens(text)
	}
	return n
}

// tokens returns how many tokens text has, as it is counted here.
func tokens(text string) int { return (len(text) + 3) / 4 }
