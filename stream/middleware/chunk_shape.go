package middleware

import (
	"slices"
	"strconv"
)

// chunks describes responses that come in chunks, each a part of one choice or of
// several, or as a whole in the same form.
type chunkShape struct {
	list    string   // key of the choices in a chunk; "": a chunk is a part of the only choice
	delta   string   // key of what a chunk brings
	message string   // the same in a response that is not streamed
	text    string   // key of the text in it
	calls   string   // key of calls in it; "": calls are parts of the content
	finish  string   // key of the reason why a choice ended
	ended   string   // key of a boolean that says so too
	usage   string   // key of the usage, "" if it stands among the members
	running bool     // every chunk has the usage so far
	loose   []string // keys whose values vary from chunk to chunk, and are not read
	id      string   // key of the response's id

	stopped []string // reasons that say that the model finished on its own
	called  string   // the reason of a message with calls; "": none in particular
	lines   bool     // each line is a chunk, not each event

	// thoughts are keys of reasoning in a delta.
	thoughts []string

	// repeats are keys under which a choice in a stream repeats what is in its deltas.
	repeats []string

	// call appends a call as an element of the calls. First says whether the piece of
	// its arguments is the first one.
	call   func(dst []byte, index int, id, name string, input []byte, first bool) []byte
	pieces bool // arguments may come in several pieces

	// failure appends an error in the API's form.
	failure func(dst []byte, err *Error) []byte
}

// The reasons by which servers say that a model finished on its own.
var stopped = []string{"stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", "completed"}

var chatChunks = chunkShape{
	list: "choices", delta: "delta", message: "message", text: "content", calls: "tool_calls", finish: "finish_reason", usage: "usage", id: "id", loose: []string{"obfuscation"},
	stopped: stopped, called: "tool_calls", thoughts: []string{"reasoning_content", "reasoning", "reasoning_details", "thinking"},
	repeats: []string{"text", "message"},
	call:    appendChatCall, pieces: true,
	failure: func(dst []byte, err *Error) []byte {
		e := object{{"message", quoted(err.Error())}, {"type", quoted("callwire")}, {"param", []byte("null")}, {"code", quoted(err.Code)}}
		return append(append(append(dst, `{"error":`...), e.appendTo(nil)...), '}')
	},
}

var geminiChunks = chunkShape{
	list: "candidates", delta: "content", message: "content", text: "parts", finish: "finishReason", usage: "usageMetadata", running: true, id: "responseId",
	stopped: []string{"STOP"},
	call: func(dst []byte, _ int, id, name string, input []byte, _ bool) []byte {
		call := object{{"id", quoted(id)}, {"name", quoted(name)}, {"args", input}}
		return append(append(append(dst, `{"functionCall":`...), call.appendTo(nil)...), '}')
	},
	failure: func(dst []byte, err *Error) []byte {
		e := object{{"code", []byte("502")}, {"message", quoted(err.Error())}, {"status", quoted("INTERNAL")}}
		return append(append(append(dst, `{"error":`...), e.appendTo(nil)...), '}')
	},
}

var ollamaChunks = chunkShape{
	delta: "message", message: "message", text: "content", calls: "tool_calls", finish: "done_reason", ended: "done", loose: []string{"created_at"},
	stopped: stopped, lines: true, thoughts: []string{"thinking"},
	call: func(dst []byte, index int, id, name string, input []byte, _ bool) []byte {
		f := object{{"index", strconv.AppendInt(nil, int64(index), 10)}, {"name", quoted(name)}, {"arguments", input}}
		return object{{"id", quoted(id)}, {"function", f.appendTo(nil)}}.appendTo(dst)
	},
	failure: func(dst []byte, err *Error) []byte {
		return object{{"error", quoted(err.Error())}}.appendTo(dst)
	},
}

// appendChatCall appends a call, or a further piece of its arguments.
func appendChatCall(dst []byte, index int, id, name string, input []byte, first bool) []byte {
	dst = strconv.AppendInt(append(dst, `{"index":`...), int64(index), 10)
	if first {
		dst = append(dst, `,"id":`...)
		dst = appendQuoted(dst, id)
		dst = append(dst, `,"type":"function"`...)
	}
	dst = append(dst, `,"function":{`...)
	if first {
		dst = append(dst, `"name":`...)
		dst = append(appendQuoted(dst, name), ',')
	}
	dst = append(dst, `"arguments":`...)
	return append(appendQuoted(dst, input), "}}"...)
}

// ends reports whether a choice ends with this part of it. Some servers send an
// empty reason with every chunk but the last.
func (s *chunkShape) ends(source object) bool {
	return source.has(s.finish) && string(source.get(s.finish)) != `""` || s.ended != "" && string(source.get(s.ended)) == "true"
}

// isStop reports whether a reason says that the model finished on its own, or with
// calls.
func (s *chunkShape) isStop(reason string) bool {
	return reason == "" && s.ended != "" || slices.Contains(s.stopped, reason)
}

// cutOff reports whether a reason says that the message was cut off.
func (s *chunkShape) cutOff(reason string) bool {
	return !s.isStop(reason) && reason != "tool_calls" && reason != "tool_use"
}

// ollamaUsage returns the members of a chunk that say what was used.
func ollamaUsage(chunk object) object {
	var usage object
	for _, m := range chunk {
		switch m.key {
		case "prompt_eval_count", "eval_count", "total_duration", "load_duration", "prompt_eval_duration", "eval_duration":
			usage = append(usage, m)
		}
	}
	return usage
}
