package middleware

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
)

// read sends the request with a stream as its answer and returns what a client
// makes of it.
func read(t *testing.T, opts Options, request, stream string) chatReply {
	t.Helper()
	u := &upstream{replies: []string{stream}}
	return readChat(t, u.post(t, opts, chat, request), 0)
}

// TestTransparency: a stream without a call comes out byte for byte, with any line ends
// and any other content.
func TestTransparency(t *testing.T) {
	plain := chunks("stop", "Hello", " wor", "ld: a < b, \"q\" \\ é 😀 \u2028", "")
	for name, stream := range map[string]string{
		"plain":         plain,
		"CRLF":          strings.ReplaceAll(plain, "\n", "\r\n"),
		"CR":            strings.ReplaceAll(plain, "\n", "\r"),
		"comments":      ": OPENROUTER PROCESSING\n\n" + strings.ReplaceAll(plain, "\n\n", "\n\n: ping\n\n"),
		"event lines":   strings.ReplaceAll(plain, "data: {", "event: chunk\nid: 7\nretry: 10\ndata: {"),
		"no space":      strings.ReplaceAll(plain, "data: ", "data:"),
		"no [DONE]":     strings.ReplaceAll(plain, "data: [DONE]\n\n", ""),
		"several lines": strings.ReplaceAll(plain, `"choices"`, "\ndata: \"choices\""),
		"no last line":  strings.TrimRight(plain, "\n"),
		"escapes":       chunksRaw(`"\u0048\ud83d\ude00\/"`, `"\u003cb"`),
		"reasoning":     strings.ReplaceAll(plain, `"content"`, `"reasoning_content":"<call>getWeather</call>","content"`),
		"error":         plain[:len(plain)-14] + "data: {\"error\":{\"message\":\"<call>x</call>\"}}\n\n",
		"usage at end":  strings.Replace(plain, "data: [DONE]", `data: {"id":"chatcmpl-7","choices":[],"usage":{"total_tokens":3}}`+"\n\ndata: [DONE]", 1),
		"list":          chunksRaw(`[{"type":"text","text":"a b"}]`, `[{"type":"thinking","thinking":[{"type":"text","text":"<call>getWeather</call>"}]}]`),
		"empty":         "",
	} {
		t.Run(name, func(t *testing.T) {
			for _, cuts := range [][]byte{nil, {0}, {1, 2, 40}} {
				u := &upstream{replies: []string{stream}, cuts: cuts}
				if got := u.post(t, Options{}, chat, weatherRequest); got != stream {
					t.Fatalf("cuts %v: got\n%q\nwant\n%q", cuts, got, stream)
				}
			}
		})
	}
}

// chunksRaw is chunks with contents that are JSON.
func chunksRaw(contents ...string) string {
	var b strings.Builder
	for _, c := range contents {
		fmt.Fprintf(&b, `data: {"id":"chatcmpl-7","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`+"\n\n", c)
	}
	b.WriteString("data: [DONE]\n\n")
	return b.String()
}

// TestEveryCut reads one stream under every cut of its text into chunks, and of
// its bytes into reads: the client sees the same.
func TestEveryCut(t *testing.T) {
	const text = "a<b <call>getWeather location=\"N</call>Y\"</call>é<call>getWeather location=[</call> <"
	want := read(t, Options{AllowAfterMalformed: true}, weatherRequest, chunks("stop", text))
	if len(want.Calls) != 1 || want.Calls[0].Arguments != `{"location":"N</call>Y"}` || !strings.Contains(want.Text, "<call>getWeather location=[</call>\n<tool-error") || !strings.HasSuffix(want.Text, "\n <") {
		t.Fatalf("%+v", want)
	}
	same := func(got chatReply, what string) {
		t.Helper()
		got.Chunks, want.Chunks = 0, 0
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: got %+v, want %+v", what, got, want)
		}
	}
	for i := 1; i < len(text); i++ {
		if text[i]&0xc0 != 0x80 {
			same(read(t, Options{AllowAfterMalformed: true}, weatherRequest, chunks("stop", text[:i], text[i:])), fmt.Sprint("cut at ", i))
		}
	}
	same(read(t, Options{AllowAfterMalformed: true}, weatherRequest, chunks("stop", strings.Split(text, "")...)), "every rune")
	stream := chunks("stop", strings.SplitAfter(text, "l")...)
	whole := (&upstream{replies: []string{stream}}).post(t, Options{}, chat, weatherRequest)
	for size := range 60 {
		u := &upstream{replies: []string{stream}, cuts: []byte{byte(size)}}
		if got := u.post(t, Options{}, chat, weatherRequest); got != whole {
			t.Fatalf("reads of %d bytes: %s", size+1, got)
		}
	}
}

// TestNoReason: an empty finish_reason ends nothing, so what comes after it is
// read, held-back text and usage included.
func TestNoReason(t *testing.T) {
	stream := chunks("stop", "a ", "<call>getWeather ", "location=Rome</call>", " b")
	empty := strings.ReplaceAll(stream, `"finish_reason":null`, `"finish_reason":""`)
	empty = strings.ReplaceAll(empty, `"created"`, `"usage":{"total_tokens":3},"created"`)
	got := read(t, Options{}, weatherRequest, empty)
	if got.Text != "a  b" || len(got.Calls) != 1 || got.Calls[0].Arguments != `{"location":"Rome"}` || got.Finish != "tool_calls" || got.Usages != 1 {
		t.Errorf("%+v", got)
	}
}

// TestChoices: each choice has its own decoder, in chunks of one choice and in
// chunks of several.
func TestChoices(t *testing.T) {
	chunk := func(choices string) string {
		return `data: {"id":"r","choices":[` + choices + `]}` + "\n\n"
	}
	piece := func(index int, content string) string {
		return fmt.Sprintf(`{"index":%d,"delta":{"content":%s},"finish_reason":null}`, index, rawjson.Quote(content))
	}
	end := func(index int) string { return fmt.Sprintf(`{"index":%d,"delta":{},"finish_reason":"stop"}`, index) }
	request := strings.Replace(weatherRequest, `"stream"`, `"n":2,"stream"`, 1)
	for name, stream := range map[string]string{
		"apart": chunk(piece(0, "x<call>getWea")) + chunk(piece(1, "y<ca")) + chunk(piece(0, "ther location=A</call>")) + chunk(piece(1, "b>")) + chunk(end(1)) + chunk(end(0)),
		"both":  chunk(piece(0, "x<call>getWea")+","+piece(1, "y<ca")) + chunk(piece(1, "b>")+","+piece(0, "ther location=A</call>")) + chunk(end(0)+","+end(1)),
	} {
		u := &upstream{replies: []string{stream + "data: [DONE]\n\n"}}
		out := u.post(t, Options{}, chat, request)
		first, second := readChat(t, out, 0), readChat(t, out, 1)
		if first.Text != "x" || len(first.Calls) != 1 || first.Finish != "tool_calls" {
			t.Errorf("%s: first %+v", name, first)
		}
		if second.Text != "y<cab>" || len(second.Calls) != 0 || second.Finish != "stop" {
			t.Errorf("%s: second %+v", name, second)
		}
	}
}

// TestUsage is delivered once, however often and where the upstream sends it.
func TestUsage(t *testing.T) {
	stream := chunks("stop", "Hi ", "<call>getWeather location=Rome</call>")
	usage := func(n int) string { return fmt.Sprintf(`,"usage":{"total_tokens":%d}}`, n) }
	every := stream
	for n := range 4 {
		every = strings.Replace(every, "]}\n", "]"+usage(n+1)+"\n", 1)
	}
	alone := `data: {"id":"chatcmpl-7","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[]` + usage(5) + "\n\n"
	for name, c := range map[string]struct {
		stream string
		want   string
	}{
		"none":                   {stream, ""},
		"alone, null before":     {strings.Replace(strings.ReplaceAll(stream, "]}\n", `],"usage":null}`+"\n"), "data: [DONE]", alone+"data: [DONE]", 1), `{"total_tokens":5}`},
		"with every chunk":       {every, `{"total_tokens":4}`},
		"with every and alone":   {strings.Replace(every, "data: [DONE]", alone+"data: [DONE]", 1), `{"total_tokens":5}`},
		"only before the end":    {strings.Replace(stream, "]}\n", "]"+usage(1)+"\n", 1), `{"total_tokens":1}`},
		"only before, no [DONE]": {strings.Replace(strings.Replace(stream, "]}\n", "]"+usage(1)+"\n", 1), "data: [DONE]\n\n", "", 1), `{"total_tokens":1}`},
	} {
		u := &upstream{replies: []string{c.stream}}
		out := u.post(t, Options{}, chat, weatherRequest)
		got := readChat(t, out, 0)
		want := 0
		if c.want != "" {
			want = 1
		}
		if got.Usages != want || !strings.Contains(out, c.want) {
			t.Errorf("%s: %d usages in\n%s", name, got.Usages, out)
		}
		if got.Text != "Hi " || len(got.Calls) != 1 || got.Finish != "tool_calls" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestHead: what a delta has beside its text comes once, and in the chunk that it
// came in.
func TestHead(t *testing.T) {
	stream := `data: {"id":"r","created":1,"x":{"b":1,"a":2.0},"choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"hm <call>","content":"A <call>getWeather location=Rome</call> B"},"logprobs":{"content":[]},"finish_reason":"stop"}]}` + "\n\n"
	u := &upstream{replies: []string{stream}}
	out := u.post(t, Options{}, chat, weatherRequest)
	got := readChat(t, out, 0)
	if got.Text != "A  B" || got.Reasoning != "hm <call>" || len(got.Calls) != 1 || got.Finish != "tool_calls" {
		t.Errorf("%+v", got)
	}
	for part, times := range map[string]int{`"role":"assistant"`: 1, `"x":{"b":1,"a":2.0}`: 6, `"logprobs":{"content":[]}`: 1, `"finish_reason":"tool_calls"`: 1} {
		if n := strings.Count(out, part); n != times {
			t.Errorf("%s %d times, want %d, in\n%s", part, n, times, out)
		}
	}
}

// TestNativeCalls of the upstream's own pass, under indexes that ours do not have.
func TestNativeCalls(t *testing.T) {
	native := func(id string) string {
		return `data: {"id":"r","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"` + id + `","type":"function","function":{"name":"native","arguments":"{}"}}]},"finish_reason":null}]}` + "\n\n"
	}
	ours := chunks("tool_calls", "<call>getWeather location=Rome</call>")
	for name, stream := range map[string]string{"before": native("n") + ours, "after": strings.Replace(ours, `data: {"id":"chatcmpl-7","object":"chat.completion.chunk","created":1712345678,"model":"m-1","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{},`, native("n")+`data: {"choices":[{"index":0,"delta":{},`, 1)} {
		got := read(t, Options{}, weatherRequest, stream)
		if len(got.Calls) != 2 || got.Calls[0].Name == got.Calls[1].Name || got.Calls[0].Name == "" || got.Calls[1].Name == "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestSurrogates: an emoji that the upstream cuts in two, inside a call.
func TestSurrogates(t *testing.T) {
	got := read(t, Options{}, weatherRequest, chunksRaw(`"<call>getWeather location=\""`, `"\ud83d"`, `"\ude00\"</call>\uD83D"`, `"!"`))
	if len(got.Calls) != 1 || got.Calls[0].Arguments != `{"location":"😀"}` || got.Text != "\ufffd!" {
		t.Errorf("%+v", got)
	}
	got = read(t, Options{}, weatherRequest, chunksRaw(`"<\ud83d"`))
	if got.Text != "<\ufffd" {
		t.Errorf("%+v", got)
	}
}

// TestTextAfterTheEnd of a choice is text.
func TestTextAfterTheEnd(t *testing.T) {
	stream := strings.Replace(chunks("stop", "a"), "data: [DONE]", chunksRaw(`"<call>getWeather</call>"`)+"data: [DONE]", 1)
	if got := read(t, Options{}, weatherRequest, stream); got.Text != "a<call>getWeather</call>" || len(got.Calls) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestHeldBack: a chunk is not written if all of its text is held back, with or without
// a null usage.
func TestHeldBack(t *testing.T) {
	for _, usage := range []string{"", `,"usage":null`} {
		stream := strings.ReplaceAll(chunksRaw(`"<ca"`, `"ll>getWeather"`, `" location=Rome</call>"`), `}]}`, `}]`+usage+`}`)
		if got := read(t, Options{}, weatherRequest, stream); got.Chunks != 3 || len(got.Calls) != 1 || got.Finish != "tool_calls" {
			t.Errorf("usage %q: %+v", usage, got)
		}
	}
}

// TestErrorInTheMiddle: what was held back comes before the error of the
// upstream, in any form of that error, and reading stops there.
func TestErrorInTheMiddle(t *testing.T) {
	rest := chunksRaw(`"<call>getWeather location=Rome</call>"`)
	rest = strings.ReplaceAll(rest, `"index":0`, `"index":1`) + rest
	for _, failure := range []string{
		`data: {"id":"chatcmpl-7","error":{"code":502,"message":"gone"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}` + "\n\n",
		"event: error\r\ndata: {\"code\":502}\r\n\r\n",
		`data: {"object":"error","message":"gone"}` + "\n\n",
	} {
		for held, want := range map[string]string{
			"a <ca": "a <ca", " \n": " \n",
			"<call>getWeather location=[1": "<call>getWeather location=[1\n<tool-error",
		} {
			u := &upstream{replies: []string{strings.TrimSuffix(chunksRaw(string(rawjson.Quote(held))), "data: [DONE]\n\n") + failure + rest}}
			out := u.post(t, Options{Retries: 1}, chat, weatherRequest)
			before, after, found := strings.Cut(out, failure)
			if got := readChat(t, before, 0); !found || !strings.HasPrefix(got.Text, want) || len(u.bodies) != 1 {
				t.Errorf("%q: before the error %+v, in\n%s", held, got, out)
			}
			if after != rest {
				t.Errorf("%q: behind the error\n%s", held, after)
			}
		}
	}
}

// TestErrorAfterUsage: usage that came too early to be delivered comes once.
func TestErrorAfterUsage(t *testing.T) {
	usage := strings.Replace(chunksRaw(`"a <"`), "]}\n", `],"usage":{"total_tokens":3}}`+"\n", 1)
	stream := strings.Replace(usage, "data: [DONE]", `data: {"error":{"message":"gone"}}`+"\n\n"+`data: {"choices":[],"usage":{"total_tokens":3}}`+"\n\ndata: [DONE]", 1)
	if got := read(t, Options{}, weatherRequest, stream); got.Usages < 1 || got.Text != "a <" {
		t.Errorf("%+v", got)
	}
}
