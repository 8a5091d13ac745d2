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
)

// agent is an application that does what the calls say until there are none.
type agent struct {
	t        *testing.T
	client   *http.Client
	api      string
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

// run goes on until there are no calls, and returns the last text.
func (a *agent) run() string {
	a.turns = []manual.Message{{Role: manual.User, Parts: []manual.Part{{Text: "How warm is it in Rome?"}}}}
	for range 8 {
		resp, err := a.client.Post("http://upstream.test/v1"+a.api, "application/json", strings.NewReader(a.request()))
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
