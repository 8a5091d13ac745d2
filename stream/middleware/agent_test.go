package middleware

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// agent is an application that does what the calls say until there are none.
type agent struct {
	t        *testing.T
	client   *http.Client
	api      string
	stream   bool
	extra    string // of its first request
	result   string // of its calls
	turns    []manual.Message
	executed []string
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
	geminiPath:   {manual.Gemini, "contents", `{"functionDeclarations":[{%s}]}`, "parametersJsonSchema"},
	ollamaPath:   {manual.Ollama, "messages", `{"type":"function","function":{"strict":true,%s}}`, "parameters"},
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
	body := fmt.Sprintf(`{"model":"m","max_tokens":99,"stream":%t,%s"tools":[%s],%q:%s}`, a.stream, a.extra, strings.Join(tools, ","), api.messages, conversation)
	a.extra = ""
	return body
}

// run goes on until there are no calls, and returns the last text.
func (a *agent) run() string {
	a.turns = []manual.Message{{Role: manual.User, Parts: []manual.Part{{Text: "How warm is it in Rome?"}}}}
	path := a.api
	if a.api == geminiPath && a.stream {
		path = geminiStream
	}
	for range 8 {
		resp, err := a.client.Post("http://upstream.test/v1"+path, "application/json", strings.NewReader(a.request()))
		if err != nil {
			a.t.Fatal(err)
		}
		out, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != 200 {
			a.t.Fatalf("%v, %d %s", err, resp.StatusCode, out)
		}
		r := readReply(a.t, a.api, string(out))
		if len(r.Calls) == 0 {
			return r.Text
		}
		a.remember(r.Text, r.Calls)
	}
	return "no end"
}

// remember executes calls, and adds them and their results to the conversation.
func (a *agent) remember(text string, calls []chatCall) {
	said, results := manual.Message{Role: manual.Assistant}, manual.Message{Role: manual.ToolRole}
	if strings.TrimSpace(text) != "" {
		said.Parts = append(said.Parts, manual.Part{Text: text})
	}
	for _, c := range calls {
		a.executed = append(a.executed, c.Name+sameJSON(a.t, c.Arguments))
		said.Parts = append(said.Parts, manual.Part{Kind: manual.Call, ID: c.ID, Name: c.Name, Input: json.RawMessage(c.Arguments)})
		results.Parts = append(results.Parts, manual.Part{Kind: manual.Result, ID: c.ID, Name: c.Name, Text: cmp.Or(a.result, "18 degrees")})
	}
	a.turns = append(a.turns, said)
	if len(calls) > 0 {
		a.turns = append(a.turns, results)
	}
}

// TestAgent: a model errs, each time in another way, and the agent finishes its
// task: the tool was called once, as was meant, and the answer is there.
func TestAgent(t *testing.T) {
	const good = `<call>getWeather location=Rome days=2</call>`
	requiredOf := map[string]string{chat: `"tool_choice":"required",`, messages: `"tool_choice":{"type":"any"},`, geminiPath: `"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},`, "/responses": `"tool_choice":"required",`}
	namedOf := map[string]string{chat: `"tool_choice":{"type":"function","function":{"name":"getWeather"}},`, messages: `"tool_choice":{"type":"tool","name":"getWeather"},`, geminiPath: `"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["getWeather"]}},`, "/responses": `"tool_choice":{"type":"function","name":"getWeather"},`}
	oneOf := map[string]string{chat: `"parallel_tool_calls":false,`, messages: `"tool_choice":{"type":"auto","disable_parallel_tool_use":true},`, "/responses": `"parallel_tool_calls":false,`}
	for _, way := range []struct {
		name, errs string
		extra      map[string]string
	}{
		{"no equals sign", "<call>getWeather location Rome</call>", nil},
		{"behind prose", "Let me look that up. <call>getWeather location=[</call> Here we go.", nil},
		{"an unknown tool", "<call>findWeather location=Rome</call>", nil},
		{"a wrong type of a strict function", "<call>getWeather location=Rome days=two</call>", nil},
		{"a missing argument of a strict function", "<call>getWeather days=2</call>", nil},
		{"no close tag", "I look. <call>getWeather location=Rome days=2", nil},
		{"a JSON envelope", `<call>{"name":"getWeather","arguments":{"location":"Rome"}</call>`, nil},
		{"a call within a call", "<call>getWeather location=<call>now</call></call>", nil},
		{"an invented result", good + "\n<tool-result name=\"getWeather\">\n35 degrees\n</tool-result>\nIt is 35. <call>getWeather location=Oslo</call>", nil},
		{"a call while thinking", "<think>Perhaps <call>getWeather location=Oslo</call>? No.</think>" + good, nil},
		{"no call, though it is required", "I would rather not.", requiredOf},
		{"another tool than the named one", "<call>now</call>", namedOf},
		{"two calls where one is allowed", good + "<call>getWeather location=Oslo</call>", oneOf},
		{"in a fence", "I look:\n\n```xml\n" + good + "\n```\n", nil},
		{"in backquotes", "I look: `" + good + "`", nil},
		{"a repeated argument", "<call>getWeather location=Rome location=Oslo</call>", nil},
	} {
		for _, api := range []string{chat, messages, "/responses", geminiPath, ollamaPath} {
			if way.extra != nil && way.extra[api] == "" || api == geminiPath && strings.Contains(way.name, "strict") {
				continue // the API cannot say that
			}
			for _, stream := range []bool{true, false} {
				for _, shape := range []scripted.Shape{{}, {Delta: 1, Write: 5}} {
					t.Run(fmt.Sprintf("%s %s %t %d", way.name, api[1:], stream, shape.Delta), func(t *testing.T) {
						m := &scripted.Model{Shape: shape, Script: func(n int, r scripted.Request) scripted.Reply {
							turns := r.Turns()
							switch last := turns[len(turns)-1].Text; {
							case strings.Contains(last, "<tool-result"):
								return scripted.Reply{Text: "It is 18 degrees."}
							case n > 0:
								return scripted.Reply{Text: good, Reasoning: "Oh."}
							}
							return scripted.Reply{Text: way.errs, Reasoning: "Hm."}
						}}
						a := &agent{t: t, client: &http.Client{Transport: &Transport{Base: m, Options: shown(Options{})}}, api: api, stream: stream, extra: way.extra[api]}
						text := a.run()
						if text != "It is 18 degrees." || len(a.executed) != 1 || a.executed[0] != `getWeather{"days":2,"location":"Rome"}` {
							t.Errorf("it ends with %q, and has executed %q", text, a.executed)
						}
						if n := len(m.Requests()); n > 3 {
							t.Errorf("%d requests", n)
						}
					})
				}
			}
		}
	}
}
