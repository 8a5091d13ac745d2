package scripted

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// An api is one of the interfaces that a model has.
type api struct {
	ends   []string // of the paths of its requests
	stream string   // the end for streams; "" if a member of the request asks for one
	lines  bool     // each line of a stream is an event, and streams are the default
	whole  func(*answer) string
	send   func(*answer) // sends the events of a stream
}

var (
	chatAPI = &api{ends: []string{"/chat/completions"}, whole: (*answer).chat,
		send: (*answer).sendChat}
	messagesAPI = &api{ends: []string{"/messages"}, whole: (*answer).message,
		send: (*answer).sendMessage}
	responsesAPI = &api{ends: []string{"/responses"}, whole: (*answer).response,
		send: (*answer).sendResponse}
	geminiAPI = &api{ends: []string{":generateContent", ":streamGenerateContent"},
		stream: ":streamGenerateContent", whole: (*answer).candidates,
		send: (*answer).sendCandidates}
	ollamaAPI = &api{ends: []string{"/api/chat"}, lines: true, whole: (*answer).ollama,
		send: (*answer).sendOllama}
)

// An answer is a reply as the API of a request spells it.
type answer struct {
	Reply
	n      int // the number of the request, from 1
	asked  conversation
	in     int // tokens
	shape  Shape
	events []event
}

// created is when every answer was made.
const created = 1700000000

// add adds an event.
func (a *answer) add(name, data string) {
	a.events = append(a.events, event{name: name, data: []byte(data)})
}

// quote returns text as JSON.
func quote(text string) string { return string(rawjson.Quote(text)) }

// eachInTurn calls f with the deltas of texts, which the model writes at the same time.
func (a *answer) eachInTurn(f func(i int, piece string)) {
	texts := a.texts()
	deltas := make([][]string, len(texts))
	left := 0
	for i, text := range texts {
		deltas[i] = a.shape.deltas(text)
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

// texts returns the texts of all choices.
func (a *answer) texts() []string { return append([]string{a.Text}, a.More...) }

// finish returns why the model ended.
func (a *answer) finish() string {
	if a.Finish == "" {
		return "stop"
	}
	return a.Finish
}

// out returns how many tokens the model wrote.
func (a *answer) out() int {
	n := tokens(a.Reasoning)
	for _, text := range a.texts() {
		n += tokens(text)
	}
	return n
}

// tokens returns how many tokens text has, as it is counted here.
func tokens(text string) int { return (len(text) + 3) / 4 }

// chat returns a chat completion.
func (a *answer) chat() string {
	var choices []string
	for i, text := range a.texts() {
		message := `"role":"assistant","content":` + quote(text) + `,"refusal":null`
		if a.Reasoning != "" {
			message += `,"reasoning_content":` + quote(a.Reasoning)
		}
		choices = append(choices, fmt.Sprintf(
			`{"index":%d,"message":{%s},"logprobs":null,"finish_reason":%q}`,
			i, message, a.finish()))
	}
	return a.completion("chat.completion", strings.Join(choices, ","), a.chatUsage())
}

// completion returns a chat completion or a chunk of one; usage is "" or a member.
func (a *answer) completion(kind, choices, usage string) string {
	return fmt.Sprintf(`{"id":"chatcmpl-scripted%d","object":%q,"created":%d,"model":%s,`+
		`"system_fingerprint":"fp_scripted","choices":[%s]%s}`,
		a.n, kind, created, quote(a.asked.Model), choices, usage)
}

func (a *answer) chatUsage() string {
	return fmt.Sprintf(`,"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`,
		a.in, a.out(), a.in+a.out())
}

func (a *answer) sendChat() {
	const kind = "chat.completion.chunk"
	usage := ""
	if a.asked.StreamOptions.IncludeUsage {
		usage = `,"usage":null`
	}
	choice := func(i int, delta, finish string) {
		choice := fmt.Sprintf(`{"index":%d,"delta":{%s},"logprobs":null,"finish_reason":%s}`,
			i, delta, finish)
		a.add("", a.completion(kind, choice, usage))
	}
	for i := range a.texts() {
		choice(i, `"role":"assistant","content":"","refusal":null`, "null")
		for _, piece := range a.shape.deltas(a.Reasoning) {
			choice(i, `"reasoning_content":`+quote(piece), "null")
		}
	}
	a.eachInTurn(func(i int, piece string) { choice(i, `"content":`+quote(piece), "null") })
	for i := range a.texts() {
		choice(i, "", quote(a.finish()))
	}
	if usage != "" {
		a.add("", a.completion(kind, "", a.chatUsage()))
	}
	if !a.shape.NoDone {
		a.add("", "[DONE]")
	}
}

// message returns a message of Anthropic's.
func (a *answer) message() string {
	blocks := fmt.Sprintf(`{"type":"text","text":%s}`, quote(a.Text))
	if a.Reasoning != "" {
		blocks = fmt.Sprintf(`{"type":"thinking","thinking":%s,"signature":%q},%s`,
			quote(a.Reasoning), signature, blocks)
	}
	return a.messageOf(blocks, quote(a.stopReason()), a.out())
}

// signature replaces that of a thinking block.
const signature = "c2NyaXB0ZWQ="

func (a *answer) messageOf(content, stop string, out int) string {
	return fmt.Sprintf(`{"id":"msg_scripted%d","type":"message","role":"assistant","model":%s,`+
		`"content":[%s],"stop_reason":%s,"stop_sequence":null,`+
		`"usage":{"input_tokens":%d,"output_tokens":%d}}`,
		a.n, quote(a.asked.Model), content, stop, a.in, out)
}

func (a *answer) sendMessage() {
	send := func(kind, members string) { a.add(kind, `{"type":"`+kind+`"`+members+"}") }
	index := 0
	block := func(begin string, deltas []string) {
		at := fmt.Sprintf(`,"index":%d`, index)
		send("content_block_start", at+`,"content_block":{`+begin+"}")
		for i, delta := range deltas {
			if i == 1 && index == 0 {
				send("ping", "")
			}
			send("content_block_delta", at+`,"delta":{`+delta+"}")
		}
		send("content_block_stop", at)
		index++
	}
	deltas := func(kind, key, text string) (all []string) {
		for _, piece := range a.shape.deltas(text) {
			all = append(all, fmt.Sprintf(`"type":%q,%q:%s`, kind, key, quote(piece)))
		}
		return all
	}
	send("message_start", `,"message":`+a.messageOf("", "null", 1))
	if a.Reasoning != "" {
		block(`"type":"thinking","thinking":"","signature":""`,
			append(deltas("thinking_delta", "thinking", a.Reasoning),
				`"type":"signature_delta","signature":"`+signature+`"`))
	}
	block(`"type":"text","text":""`, deltas("text_delta", "text", a.Text))
	send("message_delta", fmt.Sprintf(
		`,"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":%d}`,
		a.stopReason(), a.out()))
	send("message_stop", "")
}

// stopReason returns why the model ended, in Anthropic's words.
func (a *answer) stopReason() string {
	words := map[string]string{
		"": "end_turn", "stop": "end_turn", "length": "max_tokens", "content_filter": "refusal",
	}
	if word, ok := words[a.Finish]; ok {
		return word
	}
	return a.Finish
}

// candidates returns an answer of Gemini's.
func (a *answer) candidates() string {
	var all []string
	for i, text := range a.texts() {
		parts := `{"text":` + quote(text) + "}"
		if a.Reasoning != "" {
			parts = thoughtPart(a.Reasoning) + "," + parts
		}
		all = append(all, a.candidate(i, parts, true))
	}
	return a.geminiChunk(strings.Join(all, ","))
}

func thoughtPart(text string) string { return `{"text":` + quote(text) + `,"thought":true}` }

func (a *answer) sendCandidates() {
	send := func(i int, part string, ends bool) {
		a.add("", a.geminiChunk(a.candidate(i, part, ends)))
	}
	for i := range a.texts() {
		for _, piece := range a.shape.deltas(a.Reasoning) {
			send(i, thoughtPart(piece), false)
		}
	}
	a.eachInTurn(func(i int, piece string) { send(i, `{"text":`+quote(piece)+"}", false) })
	for i := range a.texts() {
		send(i, `{"text":""}`, true)
	}
}

// candidate returns one of the answers, or a piece of it.
func (a *answer) candidate(index int, parts string, ends bool) string {
	finish := ""
	if ends {
		word := a.finish()
		switch word {
		case "stop":
			word = "STOP"
		case "length":
			word = "MAX_TOKENS"
		}
		finish = fmt.Sprintf(`,"finishReason":%q`, word)
	}
	return fmt.Sprintf(`{"content":{"parts":[%s],"role":"model"}%s,"index":%d}`,
		parts, finish, index)
}

// geminiChunk returns a chunk, with the usage so far.
func (a *answer) geminiChunk(candidates string) string {
	return fmt.Sprintf(`{"candidates":[%s],"usageMetadata":{"promptTokenCount":%d,`+
		`"candidatesTokenCount":%d,"totalTokenCount":%d},"modelVersion":"scripted",`+
		`"responseId":"scripted%d"}`, candidates, a.in, a.out(), a.in+a.out(), a.n)
}

// ollama returns a whole answer of Ollama's.
func (a *answer) ollama() string {
	message := `"content":` + quote(a.Text)
	if a.Reasoning != "" {
		message += `,"thinking":` + quote(a.Reasoning)
	}
	return a.ollamaChunk(message, true)
}

func (a *answer) sendOllama() {
	for _, piece := range a.shape.deltas(a.Reasoning) {
		a.add("", a.ollamaChunk(`"content":"","thinking":`+quote(piece), false))
	}
	for _, piece := range a.shape.deltas(a.Text) {
		a.add("", a.ollamaChunk(`"content":`+quote(piece), false))
	}
	a.add("", a.ollamaChunk(`"content":""`, true))
}

func (a *answer) ollamaChunk(message string, ends bool) string {
	end := `"done":false`
	if ends {
		end = fmt.Sprintf(`"done_reason":%q,"done":true,"total_duration":3000,`+
			`"load_duration":1000,"prompt_eval_count":%d,"prompt_eval_duration":1000,`+
			`"eval_count":%d,"eval_duration":1000`, a.finish(), a.in, a.out())
	}
	return fmt.Sprintf(`{"model":%s,"created_at":"2023-11-14T22:13:20Z",`+
		`"message":{"role":"assistant",%s},%s}`, quote(a.asked.Model), message, end)
}

// response returns a response of OpenAI's.
func (a *answer) response() string {
	return a.responseOf(a.status(), a.output(a.status()))
}

// status returns how a response ends.
func (a *answer) status() string {
	if a.finish() == "stop" {
		return "completed"
	}
	return "incomplete"
}

// output returns the items of a response.
func (a *answer) output(status string) string {
	message := a.messageItem(status, outputText(a.Text))
	if a.Reasoning == "" {
		return message
	}
	return a.reasoningItem(status, summaryText(a.Reasoning)) + "," + message
}

func (a *answer) reasoningItem(_, summary string) string {
	return fmt.Sprintf(`{"id":"rs_scripted%d","type":"reasoning","summary":[%s]}`, a.n, summary)
}

func (a *answer) messageItem(status, content string) string {
	return fmt.Sprintf(`{"id":"msg_scripted%d","type":"message","status":%q,`+
		`"role":"assistant","content":[%s]}`, a.n, status, content)
}

func outputText(text string) string {
	return `{"type":"output_text","text":` + quote(text) + `,"annotations":[],"logprobs":[]}`
}

func summaryText(text string) string { return `{"type":"summary_text","text":` + quote(text) + "}" }

// responseOf returns a response with these items.
func (a *answer) responseOf(status, output string) string {
	usage, details, instructions := "null", "null", "null"
	if status != "in_progress" {
		usage = fmt.Sprintf(`{"input_tokens":%d,"input_tokens_details":{"cached_tokens":0},`+
			`"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":%d}`,
			a.in, a.out(), a.in+a.out())
	}
	if status == "incomplete" {
		reason := ""
		if a.finish() == "length" {
			reason = "max_output_tokens"
		}
		details = fmt.Sprintf(`{"reason":%q}`, reason)
	}
	if a.asked.Instructions != "" {
		instructions = quote(a.asked.Instructions)
	}
	tools, _ := json.Marshal(append([]json.RawMessage{}, a.asked.Tools...))
	return fmt.Sprintf(`{"id":"resp_scripted%d","object":"response","created_at":%d,"status":%q,`+
		`"error":null,"incomplete_details":%s,"instructions":%s,"max_output_tokens":null,`+
		`"model":%s,"output":[%s],"parallel_tool_calls":true,"previous_response_id":null,`+
		`"store":true,"temperature":1,"text":{"format":{"type":"text"}},"tool_choice":"auto",`+
		`"tools":%s,"top_p":1,"truncation":"disabled","usage":%s,"metadata":{}}`,
		a.n, created, status, details, instructions, quote(a.asked.Model), output, tools, usage)
}

func (a *answer) sendResponse() {
	send := func(kind, members string) {
		a.add(kind, fmt.Sprintf(`{"type":%q,"sequence_number":%d,%s}`,
			kind, len(a.events), members))
	}
	started := `"response":` + a.responseOf("in_progress", "")
	send("response.created", started)
	send("response.in_progress", started)
	index := 0
	// item sends an item whose only part is a text that comes in deltas.
	item := func(id, key, text, extra string, names [2]string,
		item func(status, content string) string, part func(string) string,
	) {
		out := fmt.Sprintf(`"output_index":%d`, index)
		place := fmt.Sprintf(`"item_id":"%s_scripted%d",%s,"%s_index":0`, id, a.n, out, key)
		send("response.output_item.added", out+`,"item":`+item("in_progress", ""))
		send("response."+names[0]+"_part.added", place+`,"part":`+part(""))
		for _, piece := range a.shape.deltas(text) {
			send("response."+names[1]+"_text.delta", place+`,"delta":`+quote(piece)+extra)
		}
		send("response."+names[1]+"_text.done", place+`,"text":`+quote(text)+extra)
		send("response."+names[0]+"_part.done", place+`,"part":`+part(text))
		send("response.output_item.done", out+`,"item":`+item(a.status(), part(text)))
		index++
	}
	if a.Reasoning != "" {
		item("rs", "summary", a.Reasoning, "", [2]string{"reasoning_summary", "reasoning_summary"},
			a.reasoningItem, summaryText)
	}
	item("msg", "content", a.Text, `,"logprobs":[]`, [2]string{"content", "output"},
		a.messageItem, outputText)
	status := a.status()
	send("response."+status, `"response":`+a.responseOf(status, a.output(status)))
}
