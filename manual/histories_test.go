package manual

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/sig"
)

// inShapes are a call and what the tool has returned, in the shapes of four APIs.
var inShapes = []struct{ api, conversation string }{
	{"chat", `[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"getTime","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":%s}]`},
	{"anthropic", `[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"getTime","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":%s}]}]`},
	{"responses", `[{"type":"function_call","call_id":"a","name":"getTime","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":%s}]`},
	{"aisdk", `[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"getTime","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"getTime","output":%s}]}]`},
}

// testdata/histories.txt has conversations, each a line of JSON, and under each what a model
// sees of it. After = comes what a tool has returned; what a model sees of that is
// under the APIs that it is the same for.
func TestHistories(t *testing.T) {
	catalog := compile(t, office[:len(office)-2]+","+weather[1:])
	var all strings.Builder
	lines := 0
	for line := range strings.Lines(string(golden.Get(t, "histories.txt"))) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		lines++
		all.WriteString(line)
		output, ok := strings.CutPrefix(strings.TrimSpace(line), "=")
		if !ok {
			all.WriteString(seen(t, catalog, line, 0))
			continue
		}
		var texts []string
		apis := map[string][]string{}
		for _, in := range inShapes {
			text := seen(t, catalog, fmt.Sprintf(in.conversation, output), 2) // after the manual and the call
			if apis[text] == nil {
				texts = append(texts, text)
			}
			apis[text] = append(apis[text], in.api)
		}
		for _, text := range texts {
			fmt.Fprintf(&all, "\t%s\n%s", strings.Join(apis[text], ", "), text)
		}
	}
	if lines < 100 {
		t.Errorf("%d conversations", lines)
	}
	golden.Assert(t, all.String(), "histories.txt")
}

// seen returns what a model sees of a conversation, but for its first messages.
func seen(t *testing.T, catalog *sig.Catalog, conversation string, skip int) string {
	t.Helper()
	var b strings.Builder
	messages, errs := must(catalog, Options{}).Rewrite(readMessages(t, conversation))
	for _, err := range errs {
		fmt.Fprintf(&b, "\tREPORT %v\n", err)
	}
	messages = AddPrompt(messages, "M", false)
	fmt.Fprintf(&b, "\t%s\n", strings.ReplaceAll(writeMessages(t, messages[min(skip, len(messages)):]), "\n", "\n\t"))
	return b.String()
}
