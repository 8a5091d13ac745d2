package middleware

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

var adversaries = flag.Uint64("adversaries", 400, "how many streams TestAdversary reads")
var firstAdversary = flag.Uint64("adversary", 0, "the first of the streams that TestAdversary reads")

// adversary is an upstream that keeps to the letter of an API and to nothing else:
// members in any order, some of them twice, null or unknown, escapes where none are
// needed, lines of any length and end, calls of its own between those in the text.
type adversary struct {
	*rand.Rand
	api     string
	text    string   // what the model says
	natives int      // calls of the upstream's own
	events  []string // the data of each
	names   []string // and its name
	number  int      // of the next event, where events have numbers
	items   string   // a response's of its own calls
	clean   bool     // it is complete
}

var streamWords = []string{
	"Let me", " see", " a < b", ". <call>", "<call>getWeather location=", "<ca", "ll>", `"Ro`, `me"`, "Rome", " units=metric", "</call>", "</ca",
	" some words", " and", "é 😀", "\n", `\`, `"`, "'", "<think>", "</think>", "so", "<tool-", "result>", "[", "{", "}", "]", "=", "`", "\\ud83d", "\n  if a < b {\n", "\t\"", "   ",
}

// compileTools compiles a catalog of the tests.
func compileTools(t testing.TB, tools string) *sig.Catalog {
	t.Helper()
	catalog, err := sig.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	return catalog
}

// newAdversary returns the adversary of a seed.
func newAdversary(seed uint64) *adversary {
	return &adversary{Rand: rand.New(rand.NewPCG(seed, 16)), api: []string{chat, messages, "/responses", geminiPath, ollamaPath}[seed%5]}
}

// request returns the body of the request that it answers.
func (a *adversary) request() string {
	switch a.api {
	case messages:
		return weatherRequestA
	case "/responses":
		return weatherRequestR
	case geminiPath:
		return strings.Replace(weatherRequestG, `"days":{"type":"INTEGER"}`, `"units":{"type":"STRING","enum":["metric","imperial"]}`, 1)
	}
	return weatherRequest
}

// one returns one of some words.
func (a *adversary) one(words ...string) string { return words[a.IntN(len(words))] }

// rare reports true once in n times.
func (a *adversary) rare(n int) bool { return a.IntN(n) == 0 }

// say makes up the text.
func (a *adversary) say() {
	words := append([]string{
		rome, `<call>getWeather location="New York" units=metric</call>`, `<call>getWeather {"location":"é 😀"}</call>`, "<call>getWeather location=[</call>",
		`<call>getWeather location="</call><call>getWeather location=Oslo</call>"</call>`, "<call>other a=1</call>", "<tool-error", "<tool-result name=\"x\">", "\u2028", "\x00", "😀",
	}, streamWords...)
	for range 1 + a.IntN(12) {
		a.text += words[a.IntN(len(words))]
	}
}

// object writes an object as oddly as JSON allows.
func (a *adversary) object(members ...string) string {
	var list []string
	for i := 0; i < len(members); i += 2 {
		key, value := members[i], members[i+1]
		if value == "" {
			continue
		}
		list = append(list, string(rawjson.Quote(key))+a.one(":", ":", ": ")+value)
	}
	a.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	if a.rare(12) {
		list = append([]string{a.one(`"x":null`, `"":{}`, `"Content":"<call>getWeather location=Oslo</call>"`, `"é\n":[1,"]}"]`)}, list...)
	}
	if a.rare(40) {
		list = append(list, `"padding":"`+strings.Repeat("x", 7000)+`"`)
	}
	if len(members) > 1 && a.rare(20) && rawjson.IsString([]byte(members[1])) { // the last one counts
		list = append([]string{string(rawjson.Quote(members[0])) + `:"<call>getWeather location=Oslo</call>"`}, list...)
	}
	return "{" + strings.Join(list, a.one(",", ",", " , ")) + "}"
}

// string writes a string, some of it in escapes.
func (a *adversary) string(text string) string {
	if !a.rare(6) {
		return string(rawjson.Quote(text))
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r > 0xffff:
			fmt.Fprintf(&b, `\u%04x\u%04X`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		case r < ' ' || a.rare(3) || strings.ContainsRune(`"\`, r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// send adds an event.
func (a *adversary) send(kind string, members ...string) {
	a.names = append(a.names, kind)
	if kind != "" {
		members = append(members, "type", string(rawjson.Quote(kind)))
	}
	if a.api == "/responses" {
		members = append(members, "sequence_number", fmt.Sprint(a.number))
		a.number++
	}
	a.events = append(a.events, a.object(members...))
}

// pieces cuts the text anywhere between two runes.
func (a *adversary) pieces() (list []string) {
	mean := 1 + a.IntN(9)
	from := 0
	for i := range a.text {
		if i > from && a.rare(mean) {
			list, from = append(list, a.text[from:i]), i
		}
	}
	return append(list, a.text[from:])
}

// piece sends a piece of the text.
func (a *adversary) piece(text string) {
	value := a.string(text)
	switch a.api {
	case chat:
		delta := a.object("content", value, "role", a.one("", "", `"assistant"`), "refusal", a.one("", "null"))
		choice := a.object("index", "0", "delta", delta, "finish_reason", a.one("null", "", `""`), "logprobs", a.one("", "null"))
		a.send("", "choices", "["+choice+"]", "id", `"c"`, "obfuscation", a.one("", `"x\"y"`, `"abc"`), "usage", a.one("", "null"))
	case messages:
		a.send("content_block_delta", "index", "0", "delta", a.object("text", value, "type", `"text_delta"`))
	case "/responses":
		a.send("response.output_text.delta", "delta", value, "item_id", `"m"`, "output_index", "0", "content_index", "0", "obfuscation", a.one("", `"x\"y"`, `"abc"`))
	case geminiPath:
		content := a.object("parts", "["+a.object("text", value)+"]", "role", a.one("", `"model"`))
		a.send("", "candidates", "["+a.object("content", content, "index", a.one("", "0"))+"]", "responseId", `"r"`)
	default:
		a.send("", "message", a.object("content", value, "role", `"assistant"`), "done", "false", "created_at", a.one(`"1"`, `"2"`))
	}
}

// noise sends events without text.
func (a *adversary) noise() {
	switch a.api {
	case chat:
		switch a.IntN(4) {
		case 0:
			a.send("", "choices", "[]", "id", `"c"`)
		case 1:
			a.send("", "choices", `[{"index":0,"delta":{"content":null}}]`, "id", `"c"`)
		case 2:
			a.send("", "choices", `[{"index":0,"delta":{"reasoning_content":"<call>getWeather location=Oslo</call>"}}]`, "id", `"c"`)
		case 3:
			a.send("", "choices", fmt.Sprintf(`[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"n%d","type":"function","function":{"name":"native","arguments":"{}"}}]}}]`, a.natives, a.natives), "id", `"c"`)
			a.natives++
		}
	case messages:
		if a.rare(2) {
			a.send("ping")
			return
		}
		a.natives++
		index := fmt.Sprint(a.natives)
		a.send("content_block_start", "index", index, "content_block", `{"type":"tool_use","id":"n`+index+`","name":"native","input":{}}`)
		a.send("content_block_delta", "index", index, "delta", `{"type":"input_json_delta","partial_json":"{}"}`)
		a.send("content_block_stop", "index", index)
	case "/responses":
		if a.rare(2) {
			a.send("response.something.new", "x", "1")
			return
		}
		a.natives++
		index := fmt.Sprint(a.natives)
		call := func(arguments string) string {
			return `{"id":"f` + index + `","type":"function_call","call_id":"n` + index + `","name":"native","arguments":"` + arguments + `"}`
		}
		a.send("response.output_item.added", "output_index", index, "item", call(""))
		a.send("response.function_call_arguments.delta", "output_index", index, "item_id", `"f`+index+`"`, "delta", `"{}"`)
		a.send("response.function_call_arguments.done", "output_index", index, "item_id", `"f`+index+`"`, "arguments", `"{}"`)
		a.send("response.output_item.done", "output_index", index, "item", call("{}"))
		a.items += "," + call("{}")
	case geminiPath:
		a.send("", "candidates", a.one(`[{"content":{"parts":[{"text":""}],"role":"model"}}]`, `[{"content":{"role":"model"}}]`, "[]"), "usageMetadata", "{}")
	default:
		a.send("", "message", `{"role":"assistant","content":"","thinking":"<call>getWeather location=Oslo</call>"}`, "done", "false", "created_at", `"1"`)
	}
}

// play makes up the whole stream.
func (a *adversary) play() {
	a.say()
	switch a.api {
	case messages:
		a.send("message_start", "message", `{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":null}`)
		a.send("content_block_start", "index", "0", "content_block", `{"type":"text","text":""}`)
	case "/responses":
		a.send("response.created", "response", `{"id":"r","output":[]}`)
		a.send("response.output_item.added", "output_index", "0", "item", `{"id":"m","type":"message","role":"assistant","content":[]}`)
		a.send("response.content_part.added", "item_id", `"m"`, "output_index", "0", "content_index", "0", "part", `{"type":"output_text","text":""}`)
	}
	for _, p := range a.pieces() {
		if a.rare(8) {
			a.noise()
		}
		a.piece(p)
	}
	switch a.api {
	case chat:
		a.send("", "choices", "["+a.object("index", "0", "delta", "{}", "finish_reason", a.one(`"stop"`, `"eos"`, `"end_turn"`))+"]", "id", `"c"`)
	case messages:
		a.send("content_block_stop", "index", "0")
		a.send("message_delta", "delta", a.object("stop_reason", `"end_turn"`, "stop_sequence", "null"), "usage", `{"output_tokens":7}`)
		a.send("message_stop")
	case "/responses":
		said := string(rawjson.Quote(a.text))
		part := `{"type":"output_text","text":` + said + `}`
		item := `{"id":"m","type":"message","status":"completed","role":"assistant","content":[` + part + `]}`
		a.send("response.output_text.done", "item_id", `"m"`, "output_index", "0", "content_index", "0", "text", said)
		a.send("response.content_part.done", "item_id", `"m"`, "output_index", "0", "content_index", "0", "part", part)
		a.send("response.output_item.done", "output_index", "0", "item", item)
		a.send("response.completed", "response", `{"id":"r","status":"completed","output":[`+item+a.items+`]}`)
	case geminiPath:
		a.send("", "candidates", `[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP"}]`, "responseId", `"r"`)
	default:
		a.send("", "message", `{"role":"assistant","content":""}`, "done", "true", "done_reason", `"stop"`)
	}
}

// stream writes the events, and may damage them.
func (a *adversary) stream() string {
	a.clean = true
	if a.rare(4) {
		a.clean = false
		switch i := a.IntN(len(a.events)); a.IntN(5) {
		case 0:
			a.events[i] = a.events[i][:a.IntN(len(a.events[i]))]
		case 1:
			a.events, a.names = a.events[:i], a.names[:i]
		case 2:
			a.events, a.names = slices.Insert(a.events, i, `{"error":{"message":"gone"},"type":"error"}`), slices.Insert(a.names, i, "error")
		case 3:
			a.events, a.names = slices.Delete(a.events, i, i+1), slices.Delete(a.names, i, i+1)
		case 4:
			k := a.IntN(len(a.events))
			a.events[i], a.events[k] = a.events[k], a.events[i]
			a.names[i], a.names[k] = a.names[k], a.names[i]
		}
	}
	var b strings.Builder
	if a.api == ollamaPath {
		for _, e := range a.events {
			b.WriteString(e + a.one("\n", "\n", "\r\n", "\n\n"))
		}
		return b.String()
	}
	b.WriteString(a.one("", "", "\ufeff", ": hello\n\n", "\n\n"))
	end := a.one("\n", "\n", "\r\n", "\r")
	for i, e := range a.events {
		if a.rare(9) {
			b.WriteString(a.one(": a comment"+end+end, "data: null"+end+end, "data:"+end+end, "id: 7"+end))
		}
		if a.names[i] != "" {
			b.WriteString("event: " + a.names[i] + end)
		}
		b.WriteString(a.one("data: ", "data: ", "data:") + e + end + end)
	}
	if a.api == chat {
		b.WriteString("data: [DONE]" + end + end)
	}
	return b.String()
}

// meant returns the calls and the text of a message, as package parse reads them.
func (a *adversary) meant(t *testing.T, catalog *sig.Catalog, opts Options) (calls []string) {
	o := parse.Options{Repair: true, Reasoning: parse.TaggedReasoning, AllowAfterMalformed: opts.AllowAfterMalformed}
	read, err := parse.Message(catalog, a.text, &o)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range read {
		if s.Call != nil {
			calls = append(calls, sameJSON(t, string(s.Call.Input)))
		}
	}
	return calls
}

// called returns the arguments of the calls of a stream, and how many calls of the
// upstream's own there are.
func (a *adversary) called(t *testing.T, out string) (calls []string, natives int, text string) {
	r, list := (&shape{path: a.api}).readCalls(t, out, true)
	for _, c := range list {
		if c.Name == "native" {
			natives++
		} else if json.Valid([]byte(c.Arguments)) { // clients ignore the others, which broke during delivery
			calls = append(calls, sameJSON(t, c.Arguments))
		}
	}
	return calls, natives, r.text
}

// TestAdversary: for any input from a server, the output does not depend on how it arrives
// and consists of JSON events, and every delivered call is in the text. A complete stream
// delivers all calls and all text.
func TestAdversary(t *testing.T) {
	catalog := compileTools(t, "["+weatherToolA+"]")
	for seed := *firstAdversary; seed < *firstAdversary+*adversaries; seed++ {
		a := newAdversary(seed)
		a.play()
		stream := a.stream()
		opts := Options{Options: parse.Options{AllowAfterMalformed: a.rare(2)}, Retries: -1, LiveAfter: []int{-1, 1, 30}[a.IntN(3)]}
		do := Middleware(shown(opts))
		read := func(cuts []byte) (string, error) {
			path := a.api
			if path == geminiPath {
				path = geminiStream
			}
			req, err := http.NewRequest("POST", "http://upstream.test/v1"+path, strings.NewReader(a.request()))
			if err != nil {
				t.Fatal(err)
			}
			resp, err := do(req, once(streaming(&cutReader{data: []byte(stream), cuts: cuts})))
			if err != nil {
				t.Fatal(err)
			}
			out, err := io.ReadAll(resp.Body)
			return string(out), err
		}
		out, err := read(nil)
		var e *Error
		if err != nil && (a.clean || !errors.As(err, &e)) {
			t.Fatalf("seed %d: %v of\n%q", seed, err, stream)
		}
		for _, cuts := range [][]byte{{0}, {byte(a.IntN(256)), byte(a.IntN(40)), byte(a.IntN(3))}} {
			if cut, cutErr := read(cuts); cut != out || fmt.Sprint(cutErr) != fmt.Sprint(err) {
				t.Fatalf("seed %d, %+v, cut: %q, %v\nwhole: %q, %v\nof %q", seed, opts, cut, cutErr, out, err, stream)
			}
		}
		if !a.clean {
			a.unmeant(t, seed, out, catalog, opts)
			continue
		}
		if a.api != ollamaPath {
			checkStream(t, out, false)
		}
		want := a.meant(t, catalog, opts)
		calls, natives, text := a.called(t, plainEvents(strings.TrimPrefix(out, "\ufeff")))
		if strings.Contains(a.text, "<tool-") {
			if len(calls) > len(want) || !slices.Equal(calls, want[:len(calls)]) {
				t.Fatalf("seed %d: %q of %q", seed, calls, a.text)
			}
			continue
		}
		if !slices.Equal(calls, want) || natives > a.natives || natives < a.natives && opts.AllowAfterMalformed {
			t.Fatalf("seed %d, %+v: %q and %d, not %q and %d, of %q\n%s\n%s", seed, opts, calls, natives, want, a.natives, a.text, stream, out)
		}
		if opts.AllowAfterMalformed && natives == 0 {
			if _, said := expected(catalog, a.text); squeeze(text) != squeeze(said) && opts.LiveAfter < 0 {
				t.Fatalf("seed %d, %+v: %q, not %q of\n%s", seed, opts, text, said, stream)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d, %+v: %q\n%s\n%s", seed, opts, a.text, stream, out)
		}
	}
}

// unmeant looks for calls in a damaged stream that are not in its text. It reads the text
// from the events independently.
func (a *adversary) unmeant(t *testing.T, seed uint64, out string, catalog *sig.Catalog, opts Options) {
	a.text = ""
	for _, e := range a.events {
		var v tree
		if json.Unmarshal([]byte(e), &v) != nil {
			break
		}
		for _, c := range v.list("choices") {
			s, _ := c.tree("delta")["content"].(string)
			a.text += s
		}
		for _, c := range v.list("candidates") {
			for _, p := range c.tree("content").list("parts") {
				if s, _ := p["text"].(string); p["thought"] == nil {
					a.text += s
				}
			}
		}
		s, _ := v.tree("message")["content"].(string)
		a.text += s
		s, _ = v.tree("delta")["text"].(string)
		a.text += s
		if s, _ = v["delta"].(string); v["type"] == "response.output_text.delta" {
			a.text += s
		}
	}
	want, times := a.meant(t, catalog, opts), 1
	if a.api == "/responses" {
		times = 4 // as an item, its arguments, the end of it, and in the response
	}
	if got := strings.Count(out, `"name":"getWeather"`); got > times*len(want) && opts.LiveAfter < 0 {
		t.Fatalf("seed %d: %d calls, not %q, of %q\n%s", seed, got, want, a.text, out)
	}
}
