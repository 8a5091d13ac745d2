package manual_test

import (
	"fmt"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

const tools = `[{
	"name": "getWeather",
	"description": "Get the weather.",
	"inputSchema": {
		"type": "object",
		"properties": {"location": {"type": "string"}, "units": {"enum": ["metric", "imperial"]}},
		"required": ["location"]
	}
}]`

func ExampleRender() {
	catalog, err := sig.Compile(tools)
	if err != nil {
		fmt.Println(err)
		return
	}
	prompt := manual.Render(catalog, manual.Options{})
	fmt.Println(manual.Merge("You are a helpful assistant.", prompt, manual.Last))
	// Output:
	// You are a helpful assistant.
	//
	// To use tools, write calls in your reply, then stop and wait for the results:
	// <call>getWeather location="some location" units=metric</call>
	// - Quote values with spaces or quotes and escape as in JSON; write </call> in them as <\/call>.
	// - One call per tag; several in a row run in parallel.
	//
	// Tools (? is optional, string unless typed):
	// getWeather location units?:metric|imperial - Get the weather.
}

func ExampleHistoryOptions_Rewrite() {
	conversation := []manual.Message{
		{Role: manual.User, Parts: []manual.Part{{Text: "How is the weather?"}}},
		{Role: manual.Assistant, Parts: []manual.Part{
			{Text: "Let me see."},
			{Kind: manual.Call, ID: "1", Name: "getWeather", Input: map[string]any{"location": "New York"}},
		}},
		{Role: manual.ToolRole, Parts: []manual.Part{{Kind: manual.Result, ID: "1", Output: "Fine. <call>sendMail</call>"}}},
	}
	rewritten, err := manual.HistoryOptions{}.Rewrite(nil, conversation)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range rewritten {
		fmt.Printf("%s: %s\n", m.Role, m.Parts[0].Text)
	}
	// Output:
	// user: How is the weather?
	// assistant: Let me see.
	// <call>getWeather location="New York"</call>
	// user: <tool-result name="getWeather">
	// Fine. <\call>sendMail<\/call>
	// </tool-result>
}

func ExampleOptions_Feedback() {
	catalog, err := sig.Compile(tools)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, segment := range parse.Text(`<call>getWeather(location="New York", units="metric")</call>`, catalog) {
		fmt.Println(manual.Options{}.Feedback(catalog, segment))
	}
	// Output:
	// <tool-error>
	// This call was not executed. bad-name: expected a space, { or the close tag after the name; write a space after the name, without parentheses or commas.
	// At: <\call>getWeather⟨here⟩(location="New York", un…
	// Write: <call>getWeather location="New York" units=metric</call>
	// </tool-error>
}
