package middleware

import (
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
)

// A chunkShape describes, as data, responses that come in chunks, each a part of one
// choice or of several. A response that isn't streamed has nearly the same form.
type chunkShape struct {
	list    string   // key of the choices in a chunk; "": a chunk is a part of the only choice
	delta   string   // key of what a chunk adds
	message string   // the same in a response that isn't streamed
	text    string   // key of the text in it
	calls   string   // key of calls in it; "": calls are parts of the content
	finish  string   // key of the reason why a choice ended
	ended   string   // key of a boolean that is true at the end too
	usage   []string // keys of the usage
	id      string   // key of the response's id
	stopped []string // reasons that mean that the model finished on its own
	called  string   // the reason of a message with calls; "": none in particular

	repeats []string // keys under which a choice in a stream repeats its delta

	// call returns a call as an element of the calls. First is false for further
	// pieces of its arguments.
	call func(index int, e event, first bool) object
}

// The reasons of servers for a message that the model finished on its own.
var stopped = []string{
	"stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", "completed",
	"tool_calls", "tool_use",
}

var chatChunks = chunkShape{
	list: "choices", delta: "delta", message: "message", text: "content", calls: "tool_calls",
	finish: "finish_reason", usage: []string{"usage"}, id: "id",
	stopped: stopped, called: "tool_calls",
	repeats: []string{"text", "message"},
	call: func(index int, e event, first bool) object {
		if !first {
			return members("index", index, "function", members("arguments", string(e.text)))
		}
		function := members("name", e.name, "arguments", string(e.text))
		return members("index", index, "id", e.id, "type", "function", "function", function)
	},
}

var geminiChunks = chunkShape{
	list: "candidates", delta: "content", message: "content", text: "parts",
	finish: "finishReason", usage: []string{"usageMetadata"}, id: "responseId",
	stopped: []string{"STOP"},
	call: func(_ int, e event, _ bool) object {
		return members("functionCall", members("id", e.id, "name", e.name, "args", e.text))
	},
}

var ollamaChunks = chunkShape{
	delta: "message", message: "message", text: "content", calls: "tool_calls",
	finish: "done_reason", ended: "done", stopped: stopped,
	usage: []string{"prompt_eval_count", "eval_count",
		"total_duration", "load_duration", "prompt_eval_duration", "eval_duration"},
	call: func(index int, e event, _ bool) object {
		function := members("index", index, "name", e.name, "arguments", e.text)
		return members("id", e.id, "function", function)
	},
}

// ends reports whether a choice ends with this part of it. Some servers send an empty
// reason with every chunk but the last.
func (s *chunkShape) ends(source object) bool {
	hasReason := source.Has(s.finish) && string(source.Get(s.finish)) != `""`
	return hasReason || s.ended != "" && string(source.Get(s.ended)) == "true"
}

func (s *chunkShape) parts() bool { return s.text == "parts" }

// usageOf returns the members of a chunk that are its usage.
func (s *chunkShape) usageOf(chunk object) (usage object) {
	for _, m := range chunk {
		if slices.Contains(s.usage, m.Key) && !rawjson.IsNull(m.Value) {
			usage = append(usage, m)
		}
	}
	return usage
}

// isSpoken reports whether a part of the content is text of the answer.
func isSpoken(part object) bool {
	if !rawjson.IsString(part.Get("text")) || string(part.Get("thought")) == "true" {
		return false
	}
	kind := part.Get("type")
	return kind == nil || string(kind) == `"text"` || string(kind) == `"output_text"`
}
