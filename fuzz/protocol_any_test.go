package fuzz

import (
	"testing"

	"github.com/callwire/callwire/parse"
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

// TestAnySpoken: a tool's tag that is spoken of hides no call of another protocol.
func TestAnySpoken(t *testing.T) {
	p := protocol.Any(protocol.MorphXML, protocol.Hermes)
	CheckProtocol(t, p,
		`Use <get_weather> or <now>: <tool_call>{"name": "now"}</tool_call>`, "<t> <think> <now> </think> <t><a>1</a></t> <now", "<t> x </t> <now>")
	segs := parse.Options{Protocol: p}.Text(`Use <now>: <tool_call>{"name": "now"}</tool_call>`, protocolTools)
	if len(segs) != 2 || segs[1].Kind != parse.Call || !segs[1].AfterMalformed {
		t.Errorf("%+v", segs)
	}
}

// Text that goes past the readers is skipped once, though not all of them can look at it.
func TestAnySkips(t *testing.T) {
	p := protocol.Any(protocol.Hermes, protocol.Qwen3Coder, protocol.Wire)
	c := newChecker(p, nil)
	for _, in := range []string{"<think><tool_call>\n{\"name\": \"get_weather\", \"arguments\": {}}\n</tool_call>", "ab cd ef<call>now</call>"} {
		for first := range byte(9) {
			for second := range byte(9) {
				if wrong := c.Check(Setup{Protocol: p, Catalog: protocolTools}, []byte(in), []byte{first, second, 2}); wrong != "" {
					t.Fatal(wrong)
				}
			}
		}
	}
	// What was skipped may end a line, after which a bare opener is meant.
	p = protocol.Any(protocol.Hermes, protocol.Wire)
	salvage := Setup{Protocol: p, Catalog: protocolTools, Salvage: true, Stop: true}
	c = newChecker(p, nil)
	for first := range byte(9) {
		in := "ab cd e\n\n<function=now>\n</function>"
		if wrong := c.Check(salvage, []byte(in), []byte{first, 1, 1}); wrong != "" {
			t.Fatal(wrong)
		}
	}
}
