package fuzz

import (
	"math/rand/v2"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/parse/relaxed"
	"github.com/callwire/callwire/sig"
)

// TestProtocols: every property of reading and writing, for every protocol.
func TestProtocols(t *testing.T) {
	for _, p := range allProtocols() {
		t.Run(p.String(), func(t *testing.T) { CheckProtocol(t, p, seeds[p.String()]...) })
	}
	lenient := protocol.Hermes
	lenient.Name, lenient.Allow = "lenient", relaxed.All
	t.Run("lenient", func(t *testing.T) { CheckProtocol(t, lenient, drift...) })
	repairing := lenient
	repairing.Repair = true
	t.Run("repairing", func(t *testing.T) { CheckProtocol(t, repairing, drift...) })
}

// allProtocols returns those of package protocol, and that of package yaml.
func allProtocols() (all []parse.Protocol) {
	for _, name := range protocol.Names(yaml.XML) {
		all = append(all, protocol.ByName(name, yaml.XML))
	}
	return all
}

// seeds are messages beside those that a protocol writes.
var seeds = map[string][]string{
	"hermes": {
		"<tool_call>\n```json\n{\"name\": \"now\", \"arguments\": {}}\n```\n</tool_call>",
		"<tool_call>\n```\n[{\"name\": \"now\"}]\n``` </tool_call>",
		"<tool_call>[ {\"name\": \"t\", \"arguments\": {\"a\": \"]</tool_call>\"}} ]</tool_call>",
		"<tool_call>{\"arguments\": {}, \"name\": \"now\" </tool_call>{\"name\": \"now\", \"arguments\": {}</tool_</tool_call>",
	},
	"qwen3-coder": {
		"<function=get_weather>\n<parameter=city>\nx\n<parameter=days>\n1\n</function>\n</tool_call>",
		"<tool_call><function=get_weather><parameter=city>a</parameter></tool_call><tool_call><function=now></function><function=t><parameter=a>b</function> </tool_call>",
		"<function=now></function> <function=now>",
	},
	"yaml-xml": {
		"<get_weather>\ncity: 'a </get_weather>'\nunit: |-\n  <now>\n   </get_weather>\n# it's\ntags:\n- \"b\"\n- >\n  c\n</get_weather>",
		"<get_weather>\n{\"city\": \"x\", 'tags': [a, ['b']], ? k : v}\n</get_weather><now/>",
		"<t>\na: &x 1\nb: *x\nc: !!str\n  d\n<<: {}\n--- \n0x1F: 007\n\u2028e:\tf\n</t>",
	},
}

// drift is JSON as models should not write it.
var drift = []string{
	"<tool_call>{'name': 'now', arguments: {a: True, b: ['it\\'s', None,], /* c */ c: \"x\ny\\d\",},}</tool_call>",
	"<tool_call>{\"arguments\": \"{'city': 'x'}\", 'name': \"get_weather\"} // end\n</tool_call>",
}

// FuzzHermes, FuzzQwen3Coder, FuzzMorphXML and FuzzYAMLXML: every property of reading, for
// one protocol each.
func FuzzHermes(f *testing.F) { fuzzProtocol(f, protocol.Hermes) }

func FuzzQwen3Coder(f *testing.F) { fuzzProtocol(f, protocol.Qwen3Coder) }

func FuzzMorphXML(f *testing.F) { fuzzProtocol(f, protocol.MorphXML) }

func FuzzYAMLXML(f *testing.F) { fuzzProtocol(f, yaml.XML) }

// fuzzProtocol fuzzes p with the calls that it writes.
func fuzzProtocol(f *testing.F, p parse.Protocol) {
	for _, seed := range seeds[p.String()] {
		f.Add([]byte(seed), []byte{1, 0, 5})
	}
	for i, call := range newChecker(p, nil).calls {
		f.Add([]byte(call), []byte{byte(i % 7), 1, 0, 2, byte(i % 31)})
		f.Add([]byte("hi "+call[:len(call)/2]+call), []byte{9, 3, byte(i)})
	}
	f.Fuzz(func(t *testing.T, in, cuts []byte) {
		if len(in) > 1<<10 {
			return
		}
		if wrong := CheckReading(p, in, cuts); wrong != "" {
			t.Fatal(wrong)
		}
	})
}

// TestProtocolsOfCatalogs: property 12, for every protocol and every tool of the
// catalogues of the folder: what fits the schema is written, and reads back in text.
func TestProtocolsOfCatalogs(t *testing.T) {
	all := folder(t)
	if all == nil {
		all = map[string]*sig.Catalog{"protocolTools": protocolTools, "types": types, "groups": groups}
	}
	for _, p := range allProtocols() {
		name := p.String()
		written, refused := 0, 0
		for file, catalog := range all {
			for i, tool := range catalog.Tools() {
				s := rand.New(rand.NewPCG(uint64(i), 1))
				input := FitObject(s, tool.Args, 4)
				text, err := parse.FormatOptions{Protocol: p}.Format(catalog, tool.Name, []byte(input))
				if err != nil {
					refused++
					continue
				}
				written++
				segs := parse.Options{Protocol: p}.Text("a < b "+text+" and ```", catalog)
				if len(segs) != 3 || segs[1].Kind != parse.Call || segs[1].Name != tool.Name || string(segs[1].Input) != string(canonical([]byte(input))) {
					t.Errorf("%s, %s: %s is written %q, read %+v", name, file, input, text, segs)
				}
			}
		}
		t.Logf("%s: %d written, %d refused", name, written, refused)
		if refused > written/4 {
			t.Errorf("%s: %d of %d calls are refused", name, refused, written+refused)
		}
	}
}
