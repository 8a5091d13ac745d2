package conversation

import "testing"

// TestAs: a transcript is written in all shapes, and in no other.
func TestAs(t *testing.T) {
	for _, shape := range append(Shapes(), "wires") {
		if _, err := new(Transcript).As(shape); (err == nil) != (shape != "wires") {
			t.Errorf("%s: %v", shape, err)
		}
	}
}

// TestReadCalls: calls are found in every envelope, and an error of one does not keep
// the others back.
func TestReadCalls(t *testing.T) {
	const call = `{"type":"function","id":"1","function":{"name":"t","arguments":"{\"a\":1}"}}`
	for _, value := range []string{
		`{"name":"t","input":{"a":1}}`, `{"name":"t","arguments":"{\"a\":1}"}`,
		call, `{"tool_calls":[` + call + `]}`, `{"role":"assistant","content":null,"tool_calls":[` + call + `]}`,
		`{"choices":[{"message":{"role":"assistant","tool_calls":[` + call + `]}}]}`,
		`{"messages":[{"role":"user","content":"Go."},{"role":"assistant","tool_calls":[` + call + `]}]}`,
		`{"type":"tool_use","id":"1","name":"t","input":{"a":1}}`,
		`{"type":"message","role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"1","name":"t","input":{"a":1}}]}`,
		`{"type":"tool-call","toolCallId":"1","toolName":"t","input":{"a":1}}`,
		`{"output":[{"type":"function_call","call_id":"1","name":"t","arguments":"{\"a\":1}"}]}`,
	} {
		calls, errs := ReadCalls([]byte(value))
		if len(errs) > 0 || len(calls) != 1 || calls[0].Name != "t" || string(calls[0].Input) != `{"a":1}` {
			t.Errorf("%s: %+v %v", value, calls, errs)
		}
	}
	calls, errs := ReadCalls([]byte(`[{"name":"a","input":{}},{"name":"b"},5,{"name":"c","input":{},"arguments":{}},{"name":"d","input":{}},{"role":"user","content":"x"}]`))
	if len(calls) != 2 || calls[0].Name != "a" || calls[1].Name != "d" || len(errs) != 3 {
		t.Errorf("%+v %v", calls, errs)
	}
}
