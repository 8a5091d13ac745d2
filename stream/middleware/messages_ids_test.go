package middleware

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/callwire/callwire/manual"
)

// The messages that are read in a short way are read as package manual reads them, whatever
// the ids and further members of calls and results.
func TestMessagesAsInManual(t *testing.T) {
	for _, text := range []string{
		`{"role":"user","content":"x"}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":7,"type":"function","function":{"name":"t","arguments":"{\"a\":1}"}}]}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":null,"type":"function","function":{"name":"t","arguments":"{}"}}]}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":{"a":1},"type":"function","function":{"name":"t","arguments":"{}"}}]}`,
		`{"role":"tool","tool_call_id":7,"content":"x"}`,
		`{"role":"tool","tool_call_id":true,"content":[{"type":"text","text":"x"}],"note":"n"}`,
		`{"role":"tool","tool_call_id":"1","content":"x","text":"y"}`,
		`{"role":"tool","tool_call_id":"1","content":"x","error":"y"}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":7,"name":"t","input":{"a":1}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":7,"content":"x"}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"x","text":"y"}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","text":"y","is_error":true}]}`,
		`{"type":"function_call","call_id":7,"name":"t","arguments":"{}"}`,
		`{"type":"function_call_output","call_id":7,"output":"x"}`,
	} {
		var want, got manual.Message
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		o := readObject(nil, []byte(text))
		if err := parseMessage(&got, o, o.array("tool_calls"), []byte(text)); err != nil {
			t.Fatal(err)
		}
		var a, b any
		for v, m := range map[*any]manual.Message{&a: got, &b: want} {
			data, err := m.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			json.Unmarshal(data, v) // it was written just now
		}
		if !reflect.DeepEqual(a, b) || len(got.Extra) != len(want.Extra) {
			t.Errorf("%s: got %v, want %v", text, a, b)
		}
	}
}

// A part of a message that is no object of its type is an error.
func TestOddResult(t *testing.T) {
	if p, err := parsePart([]byte(`{"type":"tool_result","text":"x","type":"tool_result"}`)); err != nil || p.Output != "x" {
		t.Errorf("%+v, %v", p, err)
	}
}
