package manual

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/golden"
)

// testdata/histories.txt has conversations, each a line of JSON, and under each what a model
// sees of it. After = stands what a tool has returned, which answers a call in the shapes of
// four APIs; where a model sees the same, it stands there once.
func TestHistories(t *testing.T) {
	catalog := compile(t, office[:len(office)-2]+","+weather[1:])
	var all strings.Builder
	for line := range strings.Lines(string(golden.Get(t, "histories.txt"))) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		all.WriteString(line)
		conversations := []string{line}
		if output, ok := strings.CutPrefix(strings.TrimSpace(line), "="); ok {
			conversations = nil
			for _, shape := range []string{
				`{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"getTime","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":%s}`,
				`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"getTime","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":%s}]}`,
				`{"type":"function_call","call_id":"a","name":"getTime","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":%s}`,
				`{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"getTime","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"getTime","output":%s}]}`,
			} {
				conversations = append(conversations, "["+fmt.Sprintf(shape, output)+"]")
			}
		}
		for _, c := range conversations {
			o := HistoryOptions{Manual: "M", NeutralizeUser: true, Report: func(e *HistoryError) { fmt.Fprintf(&all, "\tREPORT %v\n", e) }}
			messages, err := o.Rewrite(catalog, readMessages(t, c))
			if err != nil {
				fmt.Fprintf(&all, "\tERROR %v\n", err)
				continue
			}
			if len(conversations) > 1 {
				messages = messages[2:] // after the manual and the call
			}
			seen := "\t" + strings.ReplaceAll(writeMessages(t, messages), "\n", "\n\t") + "\n"
			if !strings.HasSuffix(all.String(), seen) {
				all.WriteString(seen)
			}
		}
	}
	golden.Assert(t, all.String(), "histories.txt")
}
