package fuzz

import (
	"testing"

	"github.com/callwire/callwire/parse/protocol"
)

// TestAny checks the reading of several protocols at once.
func TestAny(t *testing.T) {
	CheckProtocol(t, protocol.Any(protocol.Hermes, protocol.Qwen3Coder, protocol.Wire),
		"a <tool_call>\n<function=now>\n</function>\n</tool_call><call>now</call>",
		`<call>t a="<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>"</call>`,
		`<tool_call>{"name": "t", "arguments": {"a": "<call>now</call><function=now>"}}</tool_call>`,
		"<tool_call>\n<function=t>\n<parameter=a>\n<call>now</call>\n</parameter>\n</function>\n</tool_call>",
		"<think>or <call>now</call><tool_call></think><call>now</call><think>",
		"<tool_call> x <call> now<call>now</call>")
}
