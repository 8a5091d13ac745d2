package middleware

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/stream/middleware/scripted"
)

// agent is an application that does what the calls say until there are none.
type agent struct {
	t        *testing.T
	client   *http.Client
	api      string
	stream   bool
	extra    string   // of its first request
	result   string   // of its calls
	turns    []string // the conversation, as JSON
	executed []string
}

const agentTools = `{"name":"getWeather","description":"Get the weather.","SCHEMA":{"type":"object","properties":{"location":{"type":"string"},"days":{"type":"integer"}},"required":["location"]}}`

// request returns the body of a request.
func (a *agent) request() string {
	tools, key := agentTools, "messages"
	now := `{"name":"now","SCHEMA":{"type":"object","properties":{}}}`
	wrap := func(format string) { tools, now = fmt.Sprintf(format, tools[1:]), fmt.Sprintf(format, now[1:]) }
	schema := "parameters"
	switch a.api {
	case chat:
		wrap(`{"type":"function","function":{"strict":true,%s}`)
	case messages:
		wrap(`{"strict":true,%s`)
		schema = "input_schema"
	case geminiPath:
		tools := strings.ReplaceAll("["+tools+","+now+"]", "SCHEMA", "parametersJsonSchema")
		body := fmt.Sprintf(`{%s"tools":[{"functionDeclarations":%s}],"contents":[%s]}`, a.extra, tools, strings.Join(a.turns, ","))
		a.extra = ""
		return body
	case ollamaPath:
		wrap(`{"type":"function","function":{"strict":true,%s}`)
	default:
		wrap(`{"type":"function","strict":true,%s`)
		key = "input"
	}
	tools = strings.ReplaceAll("["+tools+","+now+"]", "SCHEMA", schema)
	body := fmt.Sprintf(`{"model":"m","max_tokens":99,"stream":%t,%s"tools":%s,%q:[%s]}`, a.stream, a.extra, tools, key, strings.Join(a.turns, ","))
	a.extra = ""
	return body
}

// run goes on until there are no calls, and returns the last text.
func (a *agent) run() string {
	a.turns = []string{`{"role":"user","content":"How warm is it in Rome?"}`}
	path := a.api
	if a.api == geminiPath {
		a.turns = []string{`{"role":"user","parts":[{"text":"How warm is it in Rome?"}]}`}
		if a.stream {
			path = geminiStream
		}
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
		text, calls := a.read(string(out))
		if len(calls) == 0 {
			return text
		}
		a.remember(text, calls)
	}
	return "no end"
}

func (a *agent) read(out string) (text string, calls []chatCall) {
	r, calls := (&shape{path: a.api}).readCalls(a.t, out, a.stream)
	return r.text, calls
}

// remember executes calls, and adds them and their results to the conversation.
func (a *agent) remember(text string, calls []chatCall) {
	var made, results []string
	result := rawjson.Quote(cmp.Or(a.result, "18 degrees"))
	for _, c := range calls {
		a.executed = append(a.executed, c.Name+sameJSON(a.t, c.Arguments))
		switch a.api {
		case chat:
			made = append(made, fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":%q,"arguments":%q}}`, c.ID, c.Name, c.Arguments))
			results = append(results, fmt.Sprintf(`{"role":"tool","tool_call_id":%q,"content":%s}`, c.ID, result))
		case messages:
			made = append(made, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, c.ID, c.Name, c.Arguments))
			results = append(results, fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":%s}`, c.ID, result))
		case geminiPath:
			made = append(made, fmt.Sprintf(`{"functionCall":{"id":%q,"name":%q,"args":%s}}`, c.ID, c.Name, c.Arguments))
			results = append(results, fmt.Sprintf(`{"functionResponse":{"id":%q,"name":%q,"response":{"output":%s}}}`, c.ID, c.Name, result))
		case ollamaPath:
			made = append(made, fmt.Sprintf(`{"function":{"name":%q,"arguments":%s}}`, c.Name, c.Arguments))
			results = append(results, fmt.Sprintf(`{"role":"tool","tool_name":%q,"content":%s}`, c.Name, result))
		default:
			made = append(made, fmt.Sprintf(`{"type":"function_call","call_id":%q,"name":%q,"arguments":%q}`, c.ID, c.Name, c.Arguments))
			results = append(results, fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%s}`, c.ID, result))
		}
	}
	said := fmt.Sprintf(`{"role":"assistant","content":%s}`, rawjson.Quote(text))
	switch a.api {
	case chat, ollamaPath:
		a.turns = append(a.turns, fmt.Sprintf(`{"role":"assistant","content":%s,"tool_calls":[%s]}`, rawjson.Quote(text), strings.Join(made, ",")))
		a.turns = append(a.turns, results...)
	case messages:
		if strings.TrimSpace(text) != "" {
			made = append([]string{fmt.Sprintf(`{"type":"text","text":%s}`, rawjson.Quote(text))}, made...)
		}
		a.turns = append(a.turns, `{"role":"assistant","content":[`+strings.Join(made, ",")+`]}`, `{"role":"user","content":[`+strings.Join(results, ",")+`]}`)
	case geminiPath:
		made = append([]string{fmt.Sprintf(`{"text":%s}`, rawjson.Quote(text))}, made...)
		a.turns = append(a.turns, `{"role":"model","parts":[`+strings.Join(made, ",")+`]}`, `{"role":"user","parts":[`+strings.Join(results, ",")+`]}`)
	default:
		if text != "" {
			a.turns = append(a.turns, said)
		}
		a.turns = append(append(a.turns, made...), results...)
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
