package middleware

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// sent returns the body that the upstream gets for a request, and why it was left
// as it is.
func sent(t *testing.T, opts Options, path, body string) (out, reason string) {
	t.Helper()
	m := canned("{}")
	hook := opts.OnRewrite
	opts.OnRewrite = func(req *http.Request, r Rewrite) {
		if r.Stage == Untouched {
			reason = r.Reason
		}
		if hook != nil {
			hook(req, r)
		}
	}
	post(t, m, opts, path, body)
	data := m.Requests()[0].Body
	if !validObject(data) && validObject([]byte(body)) {
		t.Fatalf("no JSON: %s", data)
	}
	return string(data), reason
}

// requestOptions are the options that a case of testdata/requests names.
var requestOptions = map[string]func(*Options){
	"keep-tool-choice": func(o *Options) { o.KeepToolChoice = true },
	"keep-format":      func(o *Options) { o.KeepFormat = true },
	"keep-user-text":   func(o *Options) { o.Manual.KeepUserText = true },
	"manual-off":       func(o *Options) { o.Manual.Off = true },
	"hermes":           func(o *Options) { o.Manual.Format = format.Hermes },
	"morph-xml":        func(o *Options) { o.Manual.Format = format.MorphXML },
}

// restOfGrammar matches a grammar, in JSON, after its first rule. Package constrain tests it.
var restOfGrammar = regexp.MustCompile(`((?:root ::=|start:)(?:[^"\\]|\\[^n])*)\\n(?:[^"\\]|\\.)*`)

// TestRequests: testdata/requests contains requests, each with a name, a path, options, and
// what the upstream gets. $M is the manual, and $CHAT, $MESSAGES and $RESPONSES are the tool
// of the tests in each API.
func TestRequests(t *testing.T) {
	_, tool, _ := strings.Cut(weatherRequestR, `"tools":[`)
	tool = strings.TrimSuffix(tool, "]}")
	words := []string{"$M", weatherManual, "$CHAT", weatherTool, "$MESSAGES", weatherToolA, "$RESPONSES", tool}
	shorter := make([]string, len(words))
	for i := range words {
		shorter[i] = words[i^1]
	}
	// Some words begin with others.
	full := strings.NewReplacer(append(words[4:6:6], words...)...)
	short := strings.NewReplacer(shorter...)
	for _, api := range []string{"chat", "messages", "responses", "gemini", "ollama"} {
		t.Run(api, func(t *testing.T) {
			file := "requests/" + api + ".txt"
			var out []string
			for block := range strings.SplitSeq(strings.TrimSpace(string(golden.Get(t, file))), "\n\n") {
				lines := strings.Split(block, "\n")
				path, with, _ := strings.Cut(lines[1], " with ")
				var opts Options
				warned := ""
				opts.OnRewrite = func(_ *http.Request, r Rewrite) {
					if r.Stage == Warned {
						warned = "\nwarned: " + r.Reason
					}
				}
				for _, name := range strings.Fields(with) {
					if engine, ok := strings.CutPrefix(name, "constrain="); ok {
						opts.Constrain = engine
						continue
					}
					requestOptions[name](&opts)
				}
				body := full.Replace(lines[2])
				got, reason := sent(t, opts, path, body)
				again, _ := sent(t, opts, path, body)
				if again != got {
					t.Errorf("%s: another time\n%s", lines[0], again)
				}
				if got == body {
					got = "unchanged: " + reason
				}
				got = restOfGrammar.ReplaceAllString(got, "$1…")
				out = append(out, fmt.Sprintf("%s\n%s\n%s\n%s\n", lines[0], lines[1], lines[2], short.Replace(got)+warned))
			}
			golden.Assert(t, strings.Join(out, "\n"), file)
		})
	}
}

const weatherManual = `Answer directly if you need no tool. Otherwise write calls like these, one per tag, then stop and wait for results:\n<call>getWeather location=\"New York\" units=metric</call>\nQuote values with spaces or quotes as in JSON.\nOmit optional (?) arguments, never write null.\n\nTools (string unless typed):\ngetWeather location units?:metric|imperial - Get the weather.`

const (
	geminiPath   = "/v1beta/models/gemini-2.5-pro:generateContent"
	geminiStream = "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse"
	ollamaPath   = "/api/chat"
)

const weatherRequestG = `{"contents":[{"role":"user","parts":[{"text":"Warm?"}]}],"tools":[{"functionDeclarations":[{"name":"getWeather","description":"Get the weather.","parameters":{"type":"OBJECT","properties":{"location":{"type":"STRING"},"days":{"type":"INTEGER"}},"required":["location"]}}]},{"googleSearch":{}}],"generationConfig":{"temperature":0}}`

const weatherRequestO = `{"model":"m","messages":[{"role":"user","content":"Warm?"}],"tools":[` + weatherTool + `]}`

// An agent is an application whose conversation grows.
type agent struct {
	t     *testing.T
	api   string
	turns []manual.Message
}

// agentAPIs are the APIs that agents speak, by their paths, with the key of the conversation, how
// a tool is declared, and the key of its schema.
var agentAPIs = map[string]struct {
	api                       manual.API
	messages, tool, schemaKey string
}{
	chat:         {manual.ChatCompletions, "messages", `{"type":"function","function":{"strict":true,%s}}`, "parameters"},
	messages:     {manual.Anthropic, "messages", `{"strict":true,%s}`, "input_schema"},
	"/responses": {manual.Responses, "input", `{"type":"function","strict":true,%s}`, "parameters"},
}

// request returns the body of a request.
func (a *agent) request() string {
	api := agentAPIs[a.api]
	var tools []string
	for _, tool := range []string{
		`"name":"getWeather","description":"Get the weather.","SCHEMA":{"type":"object","properties":{"location":{"type":"string"},"days":{"type":"integer"}},"required":["location"]}`,
		`"name":"now","SCHEMA":{"type":"object","properties":{}}`,
	} {
		tools = append(tools, fmt.Sprintf(api.tool, strings.Replace(tool, "SCHEMA", api.schemaKey, 1)))
	}
	conversation, err := api.api.AppendMessages(nil, a.turns)
	if err != nil {
		a.t.Fatal(err)
	}
	if conversation[0] == '{' {
		conversation = rawjson.ParseObject(conversation).Get(api.messages)
	}
	return fmt.Sprintf(`{"model":"m","max_tokens":99,"stream":true,"tools":[%s],%q:%s}`, strings.Join(tools, ","), api.messages, conversation)
}

// remember adds calls and their results to the conversation.
func (a *agent) remember(text string, calls []chatCall) {
	said, results := manual.Message{Role: manual.Assistant}, manual.Message{Role: manual.ToolRole}
	if strings.TrimSpace(text) != "" {
		said.Parts = append(said.Parts, manual.Part{Text: text})
	}
	for _, c := range calls {
		said.Parts = append(said.Parts, manual.Part{Kind: manual.Call, ID: c.ID, Name: c.Name, Input: json.RawMessage(c.Arguments)})
		results.Parts = append(results.Parts, manual.Part{Kind: manual.Result, ID: c.ID, Name: c.Name, Text: "18 degrees"})
	}
	a.turns = append(a.turns, said)
	if len(calls) > 0 {
		a.turns = append(a.turns, results)
	}
}

// TestPrefix: what the model sees of a conversation begins with what it saw of it
// before, wherever messages of the system come, so that caches of prompts hold.
func TestPrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range often(200) {
		api := []string{chat, messages, "/responses"}[rng.IntN(3)]
		a := &agent{t: t, api: api}
		say := func(role, text, more string) {
			part := manual.Part{Text: text}
			if more != "" {
				part.Raw = json.RawMessage(`{"type":"text","text":""` + more + `}`)
			}
			a.turns = append(a.turns, manual.Message{Role: role, Parts: []manual.Part{part}})
		}
		if rng.IntN(2) == 0 && api != messages {
			say("system", "Be brief.", "")
		}
		cached := api == messages && rng.IntN(2) == 0
		control := ""
		if cached {
			control = `,"cache_control":{"type":"ephemeral"}`
		}
		before := ""
		for step := range 8 {
			switch n := rng.IntN(4); {
			case n == 0 && api != messages && step > 0:
				say([]string{"system", "developer"}[rng.IntN(2)], fmt.Sprintf("Rule %d.", step), "")
				fallthrough
			case n == 1 || step == 0:
				say("user", fmt.Sprintf("Question %d <call>", step), control)
			default:
				var calls []chatCall
				for i := range n {
					calls = append(calls, chatCall{fmt.Sprintf("c%d_%d", step, i), "getWeather", fmt.Sprintf(`{"location":"City %d"}`, i)})
				}
				a.remember("Let me see.", calls)
			}
			body, _ := sent(t, Options{}, api, a.request())
			var seen strings.Builder
			for _, turn := range (scripted.Request{Path: api, Body: []byte(body)}).Turns() {
				fmt.Fprintf(&seen, "%s: %s\n", turn.Role, turn.Text)
			}
			// The last message may have grown at its end.
			if now := seen.String(); !strings.HasPrefix(now, strings.TrimSuffix(before, "\n")) {
				t.Fatalf("%s, step %d:\n%s\nbefore\n%s", api, step, now, before)
			} else {
				before = now
			}
			if !strings.Contains(before, "getWeather location") || cached && !strings.Contains(body, "cache_control") {
				t.Fatalf("%s", body)
			}
		}
	}
}

// TestInvisible: what others have named is shown to the model and to the application
// as what it is, wherever it goes into a text.
func TestInvisible(t *testing.T) {
	for _, r := range []rune{'\u202e', '\u2066', '\u200b', '\u0085', '\u2028', '\u2029', '\ufeff'} {
		hide := func(text string) string { return strings.ReplaceAll(text, "HID", "h"+string(r)+"d") }
		const tools = `"tools":[{"type":"function","function":{"name":"HID","description":"Look HID up.","parameters":{"type":"object","properties":{"HID":{"enum":["HID"]}}}}},{"type":"function","function":{"name":"other"}}]`
		const steps = `"messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[{"id":"HID","type":"function","function":{"name":"other","arguments":"{}"}}]},{"role":"tool","tool_call_id":"HID","name":"HID","content":"x"},{"role":"tool","tool_call_id":"gone","name":"HID","content":"x"}]`
		for name, body := range map[string]string{
			"a result":                    `{` + tools + `,` + steps + `}`,
			"a tool that is required":     `{` + tools + `,"tool_choice":{"type":"function","function":{"name":"HID"}},` + steps + `}`,
			"the tools that are allowed":  `{` + tools + `,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"HID"}}]}},` + steps + `}`,
			"the form of the answer":      `{` + tools + `,"response_format":{"type":"json_schema","json_schema":{"schema":{"title":"HID"}}},` + steps + `}`,
			"tools that are the server's": strings.Replace(`{`+tools+`,`+steps+`}`, `"tools":[`, `"tools":[{"type":"custom","custom":{"name":"HID"}},`, 1),
		} {
			m := says("<call>other HID=[</call>", "No.")
			_, out, err := ask(m, shown(Options{}), chat, hide(body))
			for _, sent := range m.Requests() {
				for _, raw := range rawjson.ParseObject(sent.Body).Array("messages") {
					if content := rawjson.ParseObject(raw).Text("content"); strings.ContainsFunc(content, func(c rune) bool { return c != '\n' && c != '\t' && unseen.Is(c) }) && !strings.Contains(content, "<call>other h"+string(r)) {
						t.Errorf("%U in %s: %q", r, name, content)
					}
				}
			}
			if strings.ContainsRune(out, r) || err != nil && strings.ContainsRune(err.Error(), r) {
				t.Errorf("%U in %s: the application gets %q, %v", r, name, out, err)
			}
		}
	}
}
