package conversation_test

import (
	"encoding/json"
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
)

func ExampleTranscript() {
	t, err := conversation.ReadTranscript([]byte(`[{"role":"assistant","content":"<call>getWeather location=Oslo</call>"},
		{"role":"user","content":"<tool-result name=\"getWeather\">\n12 degrees\n</tool-result>"}]`))
	if err != nil {
		panic(err)
	}
	if err := t.ReadText(); err != nil {
		panic(err)
	}
	shaped, err := t.As("anthropic")
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(shaped)
	fmt.Println(string(text), err)
	// Output:
	// {"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"getWeather","input":{"location":"Oslo"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"12 degrees"}]}]} <nil>
}
