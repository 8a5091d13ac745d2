package manual

import (
	"strings"
	"testing"
)

// Ids that are no strings name calls and results as strings do, in every shape.
func TestIDsThatAreNoStrings(t *testing.T) {
	for _, id := range []string{`7`, `-1.50e3`, `0`, `true`, `{"a":1}`, `["x"]`} {
		for _, shape := range []string{
			`[{"role":"assistant","content":null,"tool_calls":[{"id":1,"type":"function","function":{"name":"other","arguments":"{}"}},{"id":ID,"type":"function","function":{"name":"t","arguments":"{\"a\":1}"}}]},
				{"role":"tool","tool_call_id":ID,"content":"said"}]`,
			`[{"role":"assistant","content":[{"type":"tool_use","id":1,"name":"other","input":{}},{"type":"tool_use","id":ID,"name":"t","input":{"a":1}}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":ID,"content":"said"}]}]`,
			`[{"type":"function_call","call_id":1,"name":"other","arguments":"{}"},{"type":"function_call","call_id":ID,"name":"t","arguments":"{\"a\":1}"},
				{"type":"function_call_output","call_id":ID,"output":"said"}]`,
			`[{"role":"assistant","content":[{"type":"tool-call","toolCallId":1,"toolName":"other","input":{}},{"type":"tool-call","toolCallId":ID,"toolName":"t","input":{"a":1}}]},
				{"role":"tool","content":[{"type":"tool-result","toolCallId":ID,"output":{"type":"text","value":"said"}}]}]`,
			`[{"role":"assistant","parts":[{"type":"tool-other","toolCallId":1,"state":"input-available","input":{}},{"type":"tool-t","toolCallId":ID,"state":"output-available","input":{"a":1},"output":"said"}]}]`,
		} {
			out, err := HistoryOptions{}.Rewrite(nil, readMessages(t, strings.ReplaceAll(shape, "ID", id)))
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, m := range out {
				for _, p := range m.Parts {
					text += p.Text + "\n"
				}
			}
			if !strings.Contains(text, "<call>t a=1</call>") || !strings.Contains(text, "<tool-result name=\"t\">\nsaid\n</tool-result>") {
				t.Errorf("%s in %s: %s", id, shape, text)
			}
		}
	}
}

// Whatever a result says is told once, whichever members it stands in.
func TestResultsInSeveralMembers(t *testing.T) {
	for _, c := range []struct{ message, want string }{
		{`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","text":"aa","content":"bb"}]}`, "aa\nbb"},
		{`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","text":"aa"}]}`, "aa"},
		{`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","text":"aa","content":"aa"}]}`, "aa"},
		{`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","text":"aa","content":[{"type":"text","text":"bb"}]}]}`, "aa\nbb"},
		{`{"role":"tool","tool_call_id":"1","content":"aa","error":"bb"}`, "aa\nbb"},
		{`{"role":"tool","tool_call_id":"1","text":"aa"}`, "aa"},
		{`{"role":"tool","tool_call_id":"1","content":{"x":1},"result":"bb"}`, `{"x":1}` + "\nbb"},
		{`{"role":"tool","tool_call_id":"1","content":"aa","is_error":5}`, `{"role":"tool","tool_call_id":"1","content":"aa","is_error":5}`},
		{`{"role":"tool","tool_call_id":"1","content":"aa","name":["x"],"note":"cc"}`, `{"role":"tool","tool_call_id":"1","content":"aa","name":["x"],"note":"cc"}`},
		{`{"role":"tool","content":[{"type":"tool-result","toolCallId":"1","output":{"type":"text","value":"aa"},"text":"bb"}]}`, "bb\n" + `{"type":"text","value":"aa"}`},
		{`{"role":"tool","content":[{"type":"tool-result","toolCallId":"1","result":"aa","error":"bb","content":"cc"}]}`, "aa\nbb"},
		{`{"role":"tool","content":[{"type":"tool-result","toolCallId":"1","text":"aa","content":"bb"}]}`, "aa\nbb"},
		{`{"type":"function_call_output","call_id":"1","output":"aa","text":"bb"}`, "bb\naa"},
		{`{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"aa","rows":["bb"]},{"type":"text","text":"cc"}]}`, `{"type":"text","text":"aa","rows":["bb"]}` + "\ncc"},
		{`{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"aa","annotations":{"audience":["user"]},"_meta":{"x":1}},{"type":"output_text","text":"bb","annotations":[],"logprobs":[]},{"type":"text","text":"cc","cache_control":{"type":"ephemeral"},"citations":null,"providerOptions":{}}]}`, "aa\nbb\ncc"},
	} {
		m := readMessages(t, "["+c.message+"]")
		out, err := HistoryOptions{}.Rewrite(nil, m)
		if err != nil || len(out) != 1 {
			t.Fatal(out, err)
		}
		if got := out[0].Parts[0].Text; got != "<tool-result>\n"+c.want+"\n</tool-result>" {
			t.Errorf("%s: %q", c.message, got)
		}
		text := writeMessages(t, out)
		for _, said := range []string{"aa", "bb", "cc"} {
			if n := strings.Count(text, said); n > 1 {
				t.Errorf("%s: %d times %s in %s", c.message, n, said, text)
			}
		}
	}
}
