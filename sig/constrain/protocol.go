package constrain

import (
	"slices"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// Protocol is how a call is written. A value without a name here stands for Wire.
type Protocol uint8

// The protocols that have a grammar. Package parse/protocol reads and writes them.
const (
	Wire       Protocol = iota // <call>name key=value</call>
	Hermes                     // a JSON object with name and arguments, in <tool_call> tags
	GemmaFence                 // the same object in a Markdown fence
	Qwen3Coder                 // <function=…> with a <parameter=…> for each argument, in <tool_call> tags
)

var protocols = [...]struct {
	name   string
	delims lexer.Delims
	call   func(*mapper, sig.Plan) (choice, bool)
}{
	Wire:       {"wire", lexer.DefaultDelims, (*mapper).wireCall},
	Hermes:     {"hermes", toolCall, (*mapper).hermesCall},
	GemmaFence: {"gemma-fence", lexer.Delims{Open: "```tool_call", Close: "```"}, (*mapper).hermesCall},
	Qwen3Coder: {"qwen3-coder", toolCall, (*mapper).qwenCall},
}

var toolCall = lexer.Delims{Open: "<tool_call>", Close: "</tool_call>"}

// Protocols returns the names of all protocols.
func Protocols() []string {
	names := make([]string, len(protocols))
	for i, p := range protocols {
		names[i] = p.name
	}
	return names
}

// ParseProtocol returns the protocol with that name, and whether there is one.
func ParseProtocol(name string) (p Protocol, ok bool) {
	i := slices.Index(Protocols(), name)
	return Protocol(max(i, 0)), i >= 0
}

// String returns the protocol's name.
func (p Protocol) String() string { return nameOf("Protocol", uint8(p), Protocols()...) }

// Delims returns the tags around a call.
func (p Protocol) Delims() lexer.Delims { return protocols[p.known()].delims }

func (p Protocol) known() Protocol {
	if int(p) < len(protocols) {
		return p
	}
	return Wire
}

// call returns how a tool is called: the beginning of the call, and the rule of what
// follows. It is not ok if the tool cannot be called.
func (p Protocol) call(m *mapper, plan sig.Plan) (choice, bool) { return protocols[p].call(m, plan) }

// hermesCall returns a call as in the chat templates of the models.
func (m *mapper) hermesCall(p sig.Plan) (choice, bool) {
	m.begin(p.Tool.Name)
	if !m.hasRoom(p) {
		return choice{}, false
	}
	b := m.b
	head := "\n{\"name\": " + m.quoteText(p.Tool.Name, asJSON) + ", \"arguments\": "
	return choice{head, b.define("call-"+p.Tool.Name, b.seq(m.object(p.Tool.Args), b.literal("}\n")))}, true
}
