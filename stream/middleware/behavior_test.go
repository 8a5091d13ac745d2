package middleware

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

const (
	rome   = "<call>getWeather location=Rome</call>"
	oslo   = "<call>getWeather location=Oslo</call>"
	broken = "<call>getWeather location=[</call>"
	hermes = `<tool_call>{"name":"getWeather","arguments":{"location":"Rome"}}</tool_call>`
	load   = `<call>__load_tool_schema__ names=["getWeather"]</call>`
	fenced = "Like this:\n```\n" + rome + "\n```\n"
)

// book is a long argument, and tell a call with it.
var (
	book = strings.Repeat(`Chapter "one": é 😀`, 80)
	tell = `<call>getWeather location="` + strings.ReplaceAll(book, `"`, `\"`) + `"</call>`
)

// nameless returns a format in which no text marks an invented result.
func nameless() *parse.Format {
	f := *format.Hermes
	f.Prompt.Result = parse.Tags{Open: "{name} returned:\n", Close: "\n"}
	return &f
}

// A behavior is what becomes of the answers of a model, in every API, streamed and whole,
// and at any split.
type behavior struct {
	name    string
	opts    Options
	ask     string   // what the request asks for: a key of asks
	replies []string // of the model
	cut     bool     // it reaches the limit on its length

	// Want is the text that the application gets, with each call after it, as its location in
	// braces. An ellipsis matches anything, and whitespace doesn't count. Whole is the same
	// for a response that isn't streamed, if it differs.
	want, whole string
	requests    int // 0: as many as replies
}

// asks are what a request may ask for, in the words of each API.
var asks = map[string]map[string]string{
	"required": {
		"chat": `"tool_choice":"required"`, "messages": `"tool_choice":{"type":"any"}`, "responses": `"tool_choice":"required"`,
		"gemini": `"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}`,
	},
	"named": {
		"chat":      `"tool_choice":{"type":"function","function":{"name":"getWeather"}}`,
		"messages":  `"tool_choice":{"type":"tool","name":"getWeather"}`,
		"responses": `"tool_choice":{"type":"function","name":"getWeather"}`,
		"gemini":    `"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["getWeather"]}}`,
	},
	"one": {
		"chat": `"parallel_tool_calls":false`, "messages": `"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`,
		"responses": `"parallel_tool_calls":false`,
	},
	"JSON": {
		"chat": `"response_format":{"type":"json_object"}`, "messages": `"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}`,
		"responses": `"text":{"format":{"type":"json_object"}}`, "gemini": `"generationConfig":{"responseMimeType":"application/json"}`, "ollama": `"format":"json"`,
	},
	"strict": {"chat": "", "messages": "", "responses": ""},
	"lazy":   {"chat": "", "messages": "", "responses": "", "gemini": "", "ollama": ""},
}

var behaviors = []behavior{
	// What ends a message.
	{name: "cut off after a call", replies: []string{"a " + rome}, cut: true, want: "a {Rome}"},
	{name: "cut off in a call", replies: []string{"a <call>getWeather location=Rome"}, cut: true, want: "a <call>getWeather location=Rome <tool-error…"},
	{name: "a closing tag that a stop sequence swallowed", opts: Options{Options: parse.Options{AllowUnclosed: true}}, replies: []string{"a <call>getWeather location=Rome"}, want: "a {Rome}"},
	{name: "the same when cut off", opts: Options{Options: parse.Options{AllowUnclosed: true}}, replies: []string{"a <call>getWeather location=Rome"}, cut: true, want: "a <call>getWeather location=Rome <tool-error…"},
	{name: "JSON that is cut off", ask: "JSON", replies: []string{`{"a": "b`}, cut: true, want: `{"a": "b`},
	{name: "an empty message", replies: []string{""}, want: ""},

	// Text beside a call, if the answer must be JSON.
	{name: "text before a call, in JSON", ask: "JSON", replies: []string{"I look.\n" + rome + "\n"}, want: "{Rome}"},
	{name: "an answer before a call", ask: "JSON", replies: []string{`{"a": "b"}` + rome}, want: `{"a": "b"} {Rome}`},
	{name: "a malformed call after a call, in JSON", ask: "JSON", replies: []string{rome + broken, rome}, want: "{Rome}", requests: 1},
	{name: "malformed twice, in JSON", ask: "JSON", replies: []string{broken, broken, `{"a": "b"}`}, want: `{"a": "b"}`},

	// Text that is not a call.
	{name: "after a malformed call", opts: Options{Retries: -1}, replies: []string{broken + rome}, want: broken + " <tool-error…</tool-error> " + rome + " <tool-error…after-malformed…"},
	{name: "after a malformed call, if allowed", opts: Options{Options: parse.Options{AllowAfterMalformed: true}, Retries: -1}, replies: []string{broken + rome}, want: broken + " <tool-error…</tool-error> {Rome}"},
	{name: "in code", opts: Options{Retries: -1}, replies: []string{"Write `" + rome + "`."}, want: "Write `" + rome + "`."},
	{name: "in code, if allowed", opts: Options{Options: parse.Options{AllowInCode: true}}, replies: []string{"Write `" + rome + "`."}, want: "Write ``. {Rome}"},
	{name: "in reasoning", replies: []string{"<think>I could " + oslo + "</think>So: " + rome}, want: "<think>I could " + oslo + "</think>So: {Rome}"},
	{name: "in reasoning that does not end", replies: []string{"<think>" + oslo}, want: "<think>" + oslo},
	{name: "half of one in reasoning", replies: []string{"a <thinking>b<call>getWeather loc</thinking>" + rome + " c"}, want: "a <thinking>b<call>getWeather loc</thinking> c {Rome}"},
	{name: "in other tags of reasoning", replies: []string{"[THINK]" + oslo + "[/THINK]" + rome}, want: "[THINK]" + oslo + "[/THINK] {Rome}"},
	{name: "in reasoning between two calls", replies: []string{rome + "\n<think>" + oslo + "</think>" + oslo}, want: "<think>" + oslo + "</think> {Rome} {Oslo}"},
	{name: "after a tag in code", replies: []string{"the tag `<think>` is " + rome}, want: "the tag `<think>` is {Rome}"},
	{name: "a tag in an argument", replies: []string{`<call>getWeather location="<think>"</call> x</think>`}, want: "x</think> {<think>}"},
	{name: "half a tag", replies: []string{"<thin" + rome}, want: "<thin {Rome}"},
	{name: "a message that begins in reasoning", opts: Options{Options: parse.Options{Reasoning: parse.StartedReasoning}}, replies: []string{oslo + " No.</think>So " + rome}, want: oslo + " No.</think>So {Rome}"},
	{name: "and the message after a correction", opts: Options{Options: parse.Options{Reasoning: parse.StartedReasoning}}, replies: []string{oslo + "</think>So " + broken, "Hm.</think>So " + rome}, want: oslo + "</think>So Hm.</think>So {Rome}", whole: "Hm.</think>So {Rome}"},
	{name: "in reasoning, rescued", opts: Options{Options: parse.Options{Reasoning: parse.StartedReasoning}, Rescue: format.Hermes}, replies: []string{hermes + "</think>" + hermes}, want: hermes + "</think> {Rome}"},
	{name: "after an invented result", replies: []string{rome + " <tool-result name=\"getWeather\">\n9\n</tool-result>\nSo " + oslo}, want: "{Rome}"},
	{name: "after an invented error", replies: []string{"a <tool-error>" + oslo}, want: "a"},
	{name: "a result in an argument", replies: []string{`<call>getWeather location="<tool-result"</call> a`}, want: "a {<tool-result}"},
	{name: "results begin with the name of the tool", opts: Options{Manual: manual.Options{Format: nameless()}}, replies: []string{"So: " + hermes}, want: "So: {Rome}"},
	{name: "half of a result", replies: []string{"a <tool-"}, want: "a <tool-"},
	{name: "two where one is allowed", ask: "one", replies: []string{rome + oslo}, want: oslo + " <tool-error… {Rome}"},

	// Mistakes that are repaired.
	{name: "a colon", replies: []string{`<call>getWeather location: "Rome"</call>`}, want: "{Rome}"},
	{name: "another format", replies: []string{"Let me look.\n\n" + hermes}, want: "Let me look. {Rome}"},
	{name: "another format in a line", opts: Options{Retries: -1}, replies: []string{"Elsewhere it is " + hermes}, want: "Elsewhere it is…wrong-opener…"},
	{name: "another format twice", opts: Options{Retries: -1}, replies: []string{hermes + "\n" + hermes}, want: hermes + " <tool-error…wrong-opener… {Rome}"},
	{name: "another format of no tool", opts: Options{Retries: -1}, replies: []string{`<tool_call>{"name":"rm","arguments":{}}</tool_call>`}, want: "…wrong-opener…"},
	{name: "another spelling", opts: Options{Retries: -1}, replies: []string{"<CALL>getWeather location=Rome</CALL>"}, want: "<CALL>getWeather location=Rome</CALL>…wrong-opener…"},
	{name: "another spelling, trusted", opts: Options{Options: parse.Options{AllowAfterMalformed: true}}, replies: []string{"<CALL>getWeather location=Rome</CALL>"}, want: "{Rome}"},

	// Arguments that don't fit.
	{name: "a wrong value", replies: []string{"<call>getWeather location=Rome units=kelvin</call>"}, want: `{{"location":"Rome","units":"kelvin"}}`},
	{name: "a wrong value, strict", opts: Options{Options: parse.Options{Strict: true}, Retries: -1}, ask: "one", replies: []string{"<call>getWeather location=Rome units=kelvin</call>"}, want: "…not-in-enum…"},
	{name: "a wrong value of a strict function", ask: "strict", replies: []string{"<call>getWeather location=Rome units=kelvin</call>", rome}, want: "{Rome}"},

	// Corrections.
	{name: "a malformed call", replies: []string{"Let me look. " + broken + " and so on", "Again: " + rome}, want: "Let me look. Again: {Rome}", whole: "Again: {Rome}"},
	{name: "a malformed call alone", replies: []string{broken, rome}, want: "{Rome}"},
	{name: "malformed twice", replies: []string{broken, broken}, want: broken + " <tool-error…"},
	{name: "two corrections", opts: Options{Retries: 2}, replies: []string{broken, broken, rome}, want: "{Rome}"},
	{name: "none allowed", opts: Options{Retries: -1}, replies: []string{broken}, want: broken + " <tool-error…"},
	{name: "malformed after a call", replies: []string{rome + broken, rome}, want: broken + " <tool-error… {Rome}", whole: "{Rome}", requests: 1},
	{name: "malformed and cut off", replies: []string{"<call>getWeather location=["}, cut: true, want: "<call>getWeather location=[ <tool-error…"},
	{name: "a call that is too long", opts: Options{Options: parse.Options{Limits: parse.Limits{Bytes: 64}}}, replies: []string{`Look. <call>getWeather location="` + strings.Repeat("é", 100) + `"</call>`, rome}, want: "Look. {Rome}", whole: "{Rome}"},
	{name: "no call though one is required", ask: "required", replies: []string{"I will not.", rome}, want: "I will not. {Rome}", whole: "{Rome}"},
	{name: "no call of the named tool", ask: "named", replies: []string{"", rome}, want: "{Rome}"},
	{name: "an unknown tool", replies: []string{"<call>findWeather location=Rome</call>", rome}, want: "{Rome}"},
	{name: "no equals sign", replies: []string{"<call>getWeather location Rome</call>", rome}, want: "{Rome}"},
	{name: "a repeated argument", replies: []string{"<call>getWeather location=Rome location=Oslo</call>", rome}, want: "{Rome}"},
	{name: "a call within a call", replies: []string{"<call>getWeather location=<call>now</call></call>", rome}, want: "{Rome}"},
	{name: "half an envelope", replies: []string{`<call>{"name":"getWeather","arguments":{"location":"Rome"}</call>`, rome}, want: "{Rome}"},
	{name: "no closing tag", replies: []string{"I look. <call>getWeather location=Rome", rome}, want: "I look. {Rome}", whole: "{Rome}"},
	{name: "no argument of a strict function", ask: "strict", replies: []string{"<call>getWeather units=metric</call>", rome}, want: "{Rome}"},
	{name: "required and malformed", ask: "required", replies: []string{broken, rome}, want: "{Rome}"},

	// Calls that lack something.
	{name: "a fence at the end", replies: []string{fenced, "It was an example."}, want: fenced + "It was an example.", whole: "It was an example."},
	{name: "in backquotes at the end", replies: []string{"I look: `" + rome + "`", rome}, want: "I look: `" + rome + "` {Rome}", whole: "{Rome}"},
	{name: "text after a fence", replies: []string{fenced + "So it is written."}, want: fenced + "So it is written."},
	{name: "a fence of no tool", replies: []string{"So:\n```\n<call>other a=1</call>\n```"}, want: "So:\n```\n<call>other a=1</call>\n```"},
	{name: "a fence with a malformed call", replies: []string{"So:\n```\n" + broken + "\n```"}, want: "So:\n```\n" + broken + "\n```"},
	{name: "a fence, cut off", replies: []string{fenced}, cut: true, want: fenced},
	{name: "a fence after a call", replies: []string{rome + "\n" + fenced}, want: fenced + " {Rome}"},
	{name: "no tags", replies: []string{`getWeather location="Rome"`, "No."}, want: `getWeather location="Rome"No.`, whole: "No."},
	{name: "an envelope without tags", replies: []string{"<think>{}</think>\n" + `{"name":"getWeather","arguments":{"location":"Rome"}}`, "No."}, want: "…No.", whole: "No."},
	{name: "a function with text", replies: []string{`getWeather(location="Rome") would do it`}, want: `getWeather(location="Rome") would do it`},
	{name: "an envelope of no tool", replies: []string{`{"name":"other","arguments":{}}`}, want: `{"name":"other","arguments":{}}`},
	{name: "a name", replies: []string{"getWeather"}, want: "getWeather"},

	// Tools on demand.
	{name: "a tool is loaded", opts: Options{Retries: -1}, ask: "lazy", replies: []string{"Let me look. " + load, "So: " + rome}, want: "Let me look. So: {Rome}", whole: "So: {Rome}"},
	{name: "tools are loaded one after the other", opts: Options{Retries: -1}, ask: "lazy", replies: []string{"A. " + load, load, "B. " + load, rome}, want: "A. B. {Rome}", whole: "{Rome}"},
	{name: "a tool is loaded after a call", opts: Options{Retries: -1}, ask: "lazy", replies: []string{rome + load}, want: "…was not executed… {Rome}"},
	{name: "tools are loaded without end", opts: Options{Retries: -1}, ask: "lazy", replies: strings.Split(strings.Repeat(load+"\n", mostLoads)+load, "\n"), want: "…was not executed…"},

	// A call that is long enough to be delivered as it arrives.
	{name: "a long call", replies: []string{"a <" + tell + rome + " So."}, want: "a < So. {" + book + "} {Rome}"},
	{name: "a long call, early", opts: Options{LiveAfter: 1}, replies: []string{"a <" + tell + rome + " So."}, want: "a < So. {" + book + "} {Rome}"},
	{name: "a long call, late", opts: Options{LiveAfter: -1}, replies: []string{"a <" + tell + rome + " So."}, want: "a < So. {" + book + "} {Rome}"},

	// Text that isn't wanted.
	{name: "leading text", opts: Options{StripLeading: true, Retries: -1}, replies: []string{"<think>a</think> a. `" + rome + "`" + rome + "z."}, want: "z. {Rome}"},
	{name: "all text", opts: Options{StripAll: true}, replies: []string{"a. " + rome + "z."}, want: "{Rome}"},
	{name: "leading text without a call", opts: Options{StripLeading: true}, replies: []string{"a, and no call."}, want: ""},
	{name: "all text but what is malformed", opts: Options{StripAll: true, Retries: -1}, replies: []string{"a " + broken}, want: broken + " <tool-error…"},
}

// TestBehavior holds the table in every API, streamed and whole, in words, single
// characters and single bytes.
func TestBehavior(t *testing.T) {
	for name, e := range endpoints {
		api, isWhole := strings.CutSuffix(name, " whole")
		for _, b := range behaviors {
			request, ok := b.request(api, e.request)
			if !ok {
				continue
			}
			t.Run(name+"/"+b.name, func(t *testing.T) {
				for _, shape := range []scripted.Shape{{}, {Delta: 1}, {Delta: 5, Write: 1}} {
					b.check(t, api, e.path, request, isWhole, shape)
				}
			})
		}
	}
}

// request returns the request of an API that asks for it, if the API can.
func (b *behavior) request(api, request string) (string, bool) {
	member, ok := asks[b.ask][api]
	switch {
	case b.ask == "":
		return request, api != "gemini" || !strings.Contains(strings.Join(b.replies, ""), "units")
	case member != "":
		return string(merge(readValid([]byte(request)), readValid([]byte("{"+member+"}"))).Append(nil)), true
	case ok:
		flag := `"` + b.ask + `":true,"name":"getWeather"`
		return strings.Replace(request, `"name":"getWeather"`, flag, 1), true
	}
	return "", false
}

func (b *behavior) check(t *testing.T, api, path, request string, isWhole bool, shape scripted.Shape) {
	t.Helper()
	m := &scripted.Model{Shape: shape, Strict: b.ask != "strict"}
	for _, text := range b.replies {
		reply := scripted.Reply{Text: text}
		if b.cut {
			reply.Finish = "length"
		}
		m.Replies = append(m.Replies, reply)
	}
	_, out, _ := ask(m, shown(b.opts), path, request)
	want, requests := b.want, b.requests
	if isWhole && b.whole != "" {
		want = b.whole
	}
	if requests == 0 || isWhole {
		requests = len(b.replies)
	}
	s := shapeOf(api)
	got := s.read(t, out)
	said := got.text
	for _, c := range got.calls {
		said += " {" + locationOf(c) + "}"
	}
	if !matches(want, said) || len(m.Requests()) != requests {
		t.Errorf("%+v: %d requests, %q, want %d, %q", shape, len(m.Requests()), said, requests, want)
	}
	finish := s.finish(len(got.calls) > 0)
	if b.cut {
		finish = map[string]string{"messages": "max_tokens", "responses": "incomplete", "gemini": "MAX_TOKENS"}[api]
		if finish == "" {
			finish = "length"
		}
	}
	if got.finish != finish {
		t.Errorf("%+v: it ends with %q, want %q", shape, got.finish, finish)
	}
}

// shapeOf returns the shape of the answers of the scripted model.
func shapeOf(api string) *shape {
	return map[string]*shape{
		"chat": {path: chat, ends: "stop"}, "messages": {path: messages, ends: "end_turn"},
		"responses": {path: "/responses", ends: "completed"}, "gemini": {path: geminiPath, ends: "STOP"},
		"ollama": {path: ollamaPath, ends: "stop", kind: "application/x-ndjson"},
	}[api]
}

// locationOf returns the location of a call, or all its arguments if there are others.
func locationOf(arguments string) string {
	o := readValid([]byte(arguments))
	if len(o) == 1 && o.Has("location") {
		return o.Text("location")
	}
	return arguments
}

// matches reports whether text is as wanted.
func matches(want, text string) bool {
	parts := strings.Split(squeeze(want), "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(fmt.Sprintf("(?s)^%s$", strings.Join(parts, ".*"))).MatchString(squeeze(text))
}
