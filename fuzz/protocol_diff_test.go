package fuzz

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse/protocol"
)

// protocolTokens are the tokens of each protocol, and what stands beside them: the
// alphabets of exhaustive texts.
var protocolTokens = map[string][][]string{
	"hermes": {
		{"<tool_call>", "</tool_call>", "<function=", "{", "}", "[", `"name"`, `"arguments"`, `"t"`, ":", ",", "1"},
		{"</tool_call>", "{", "}", "]", `"arguments"`, `"{}"`, ":", "null", " ", `"`, `\`, "x"},
	},
	"gemma-fence": {{"```tool_call", "```", "\n", "{", "}", `{"name":"t"}`, `"a"`, "`"}},
	"qwen3-coder": {
		{"<tool_call>", "</tool_call>", "<function=", "</function>", "<parameter=", "</parameter>", "{", "t", "k", ">", "\n"},
		{"</tool_call>", "</function>", "<parameter=k>", "</parameter>", "\n", "1", "[", "]", `"`, "<"},
	},
}

// tokensOf returns the tokens of all alphabets of a protocol.
func tokensOf(name string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(protocolTokens[name]...))))
}

// protocolBegins are how calls begin, so that short sequences get far.
var protocolBegins = map[string][]string{
	"hermes": {"", "<tool_call>{", `<tool_call>{"name":"t"`, `<tool_call>{"name":"t","arguments":{`, `<tool_call>{"arguments":`, `<tool_call>{"name":`,
		`<tool_call>{"name":"t","arguments":{"a":`, `<tool_call>{"x":`, `<tool_call>{"name":"t"}`, `<tool_call>{"name":"t","arguments":"{`},
	"gemma-fence": {"", "```tool_call\n", "```tool_call\n{\"name\":\"t\"}\n"},
	"qwen3-coder": {"", "<tool_call><function=", "<tool_call>\n<function=t>", "<tool_call><function=t><parameter=", "<tool_call><function=t><parameter=k>",
		"<tool_call><function=t><parameter=k>1</parameter>", "<tool_call><function=t><parameter=k>\n1\n</parameter>\n<parameter=k>\n", "<tool_call><function=t></function>"},
	"morph-xml": {"", "<t>", "<t><k>", "<t><s>", "<t><k>1</k>", "<t><s>1</s>", "<t><k><item>", "<t><k><a>1</a><b/>", "<t><k/><s/>", "<t><!--", "<t><k><![CDATA[", "<t><s><![CDATA["},
}

// protocolSetups are the ways in which texts are compared with the grammar, which
// knows no types.
func protocolSetups(name string) []Setup {
	all := []Setup{
		{Catalog: named("t", "tool")},
		{Catalog: named("t"), Accept: true, Stop: true},
		{Catalog: named("t"), Limits: lexer.Limits{Bytes: 60, Depth: 1, Arguments: 1, Name: 3}},
		{},
	}
	for i := range all {
		all[i].Protocol = protocol.ByName(name)
	}
	return all
}

// eachProtocol runs a test for each protocol that has a grammar.
func eachProtocol(t *testing.T, test func(t *testing.T, name string, ways []Setup)) {
	for name := range protocolTokens {
		t.Run(name, func(t *testing.T) { test(t, name, protocolSetups(name)) })
	}
}

// TestProtocolsExhaustive reads every short sequence of a protocol's tokens, after each
// beginning of a call, by the grammar and by the parser. Longer ones, under -long, are of
// one alphabet each.
func TestProtocolsExhaustive(t *testing.T) {
	eachProtocol(t, func(t *testing.T, name string, ways []Setup) {
		all := tokensOf(name)
		for _, begin := range protocolBegins[name] {
			t.Run(begin, func(t *testing.T) {
				t.Parallel()
				agree := func(text string) bool {
					for _, s := range ways {
						if diff := DiffProtocol(begin+text, s); diff != "" {
							t.Errorf("%+v\n%s", s, diff)
							return false
						}
					}
					return true
				}
				Sequences(all, *exhaustive-1, agree)
				for _, tokens := range protocolTokens[name] {
					if *long {
						Sequences(tokens, *exhaustive, agree)
					}
				}
			})
		}
	})
}

// TestProtocolsSoup is TestProtocolsExhaustive for long random texts.
func TestProtocolsSoup(t *testing.T) {
	eachProtocol(t, func(t *testing.T, name string, ways []Setup) {
		r := rand.New(rand.NewPCG(3, 4))
		tokens := tokensOf(name)
		for range *soups {
			text := ""
			for range 1 + r.IntN(3) {
				text += oneOf(r, protocolBegins[name]...)
				for range r.IntN(16) {
					text += oneOf(r, tokens...)
				}
			}
			if r.IntN(3) == 0 {
				text = Damage(r, text)
			}
			s := oneOf(r, ways...)
			if diff := DiffProtocol(text, s); diff != "" {
				t.Fatalf("%+v\n%s", s, diff)
			}
		}
	})
}

// TestProtocolNames reads names of every short sequence of what counts, or not, to the limit
// on them (D86), whole and byte by byte.
func TestProtocolNames(t *testing.T) {
	for begin, p := range map[string]protocol.Protocol{
		`<tool_call>{"name":"`:    protocol.Hermes,
		"<tool_call>\n<function=": protocol.Qwen3Coder,
	} {
		s := Setup{Protocol: p, Limits: lexer.Limits{Name: 3}}
		Sequences([]string{"n", "é", "\xc3", "\x82", `\`, "\x01", `"`, ">", "}</tool_call>"}, 4, func(name string) bool {
			diff := DiffProtocol(begin+name, s)
			if diff == "" {
				diff = split(func(s Setup) Reader { return newParserReader(s) }, s, []byte(begin+name), Bytewise(len(begin+name)))
			}
			if diff != "" {
				t.Error(diff)
			}
			return diff == ""
		})
	}
}
