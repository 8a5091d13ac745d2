package middleware

// streamForms are events of each API: the beginning of a message, forms of an event with a
// text and a number, the end.
var streamForms = []struct {
	api, request string
	head         []string
	forms        []string
	end          []string
}{
	{chat, weatherRequest, nil, []string{
		`{"id":"c","choices":[{"index":0,"delta":{"content":$TEXT},"finish_reason":null}]}`,
		`{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":$TEXT},"logprobs":null,"finish_reason":null}],"usage":null}`,
		`{"id":"c","choices":[{"index":0,"delta":{"content":$TEXT},"logprobs":{"content":[]},"finish_reason":null}],"obfuscation":"$PAD"}`,
		`{"id":"c","choices":[{"index":0,"text":"x","delta":{"content":$TEXT,"reasoning":null}}]}`,
	}, []string{`{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`}},
	{messages, weatherRequestA, []string{
		`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":null}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
	}, []string{
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":$TEXT}}`,
		`{"index":0,"type":"content_block_delta","delta":{"text":$TEXT,"type":"text_delta"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":$TEXT},"other":"text"}`,
	}, []string{
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":7}}`,
		`{"type":"message_stop"}`,
	}},
	{"/responses", weatherRequestR, []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"r","output":[]}}`,
		`{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}}`,
		`{"type":"response.content_part.added","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`,
	}, []string{
		`{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":$TEXT,"logprobs":[],"sequence_number":$N,"obfuscation":"$PAD"}`,
		`{"type":"response.output_text.delta","sequence_number":$N,"item_id":"m","output_index":0,"content_index":0,"delta":$TEXT}`,
		`{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":$TEXT}`,
	}, []string{
		`{"type":"response.output_text.done","item_id":"m","output_index":0,"content_index":0,"text":"x"}`,
		`{"type":"response.output_item.done","output_index":0,"item":{"id":"m","type":"message","role":"assistant","content":[]}}`,
		`{"type":"response.completed","response":{"id":"r","output":[]}}`,
	}},
	{ollamaPath, weatherRequest, nil, []string{
		`{"model":"m","created_at":"2026-01-02T03:04:05.$NZ","message":{"role":"assistant","content":$TEXT},"done":false}`,
	}, []string{
		`{"model":"m","created_at":"2026-01-02T03:04:06Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","eval_count":3}`,
	}},
}

// frameText returns an event of an API with that data; Ollama's are lines.
func frameText(api, data string) string {
	if api == ollamaPath {
		return data + "\n"
	}
	return "data: " + data + "\n\n"
}

var streamWords = []string{
	"Let me", " see", " a < b", ". <call>", "<call>getWeather location=", "<ca", "ll>", `"Ro`, `me"`, "Rome", " units=metric", "</call>", "</ca",
	" some words", " and", "é 😀", "\n", `\`, `"`, "'", "<think>", "</think>", "so", "<tool-", "result>", "[", "{", "}", "]", "=", "`", "\\ud83d", "\n  if a < b {\n", "\t\"", "   ",
}
