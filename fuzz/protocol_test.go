package fuzz

import (
	"math/rand/v2"
	"slices"
	"strings"
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
	attributes := protocol.Qwen3Coder
	attributes.Name = "attributes"
	attributes.Envelope.Function = protocol.Marks{Open: `<invoke name="`, End: `">`, Close: "</invoke>"}
	attributes.Envelope.Parameter = protocol.Marks{Open: `<parameter name='`, End: `'>`, Close: "</parameter>"}
	t.Run("attributes", func(t *testing.T) {
		CheckProtocol(t, attributes, `<invoke name="now"><parameter name='a" b'></invoke>`, `<tool_call><invoke name="t"><parameter name='city"'>'></parameter><parameter name='a>`)
	})
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
		"<tool_call>\n<function=t>\n<parameter=a>\n</tool_call>\"\n</parameter></function>\n</tool_call><tool_call><function=now>",
	},
	"qwen3-coder": {
		"<function=get_weather>\n<parameter=city>\nx\n<parameter=days>\n1\n</function>\n</tool_call>",
		"<tool_call><function=get_weather><parameter=city>a</parameter></tool_call><tool_call><function=now></function><function=t><parameter=a>b</function> </tool_call>",
		"<function=now></function> <function=now>",
		"<tool_call>{\"name\": \"t\", \"arguments\": {\"a\": \"</tool_call>\"}}</tool_call><tool_call> ['name': ']</tool_call>",
	},
	"morph-xml": {"<get_weather><city>a<![CDATA[b\xff</city></get_weather>"},
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

// TestProtocolsOfCatalogs: properties 12 and 14, for every protocol and every tool of the
// catalogs of the folder, with objects that fit the schema and others: what is written reads
// back in hostile text, and what quotes its strings refuses none.
func TestProtocolsOfCatalogs(t *testing.T) {
	all := folder(t)
	if all == nil {
		all = map[string]*sig.Catalog{"protocolTools": protocolTools, "types": types, "groups": groups}
	}
	rounds := max(often(40), 4)
	for _, p := range allProtocols() {
		c := newChecker(p, seeds[p.String()])
		written, refused := [2]int{}, [2]int{}
		for file, catalog := range all {
			for i, tool := range catalog.Tools() {
				s := rand.New(rand.NewPCG(uint64(i), 1))
				for round := range rounds {
					kind, input := min(round%4, 1), FitObject(s, tool.Args, 4)
					switch round % 4 {
					case 1, 2:
						input = MisfitObject(s, tool.Args, 3)
					case 3:
						input = Object(s, 4)
					}
					wrong, err := c.trip(s, catalog, tool.Name, input)
					if wrong != "" {
						t.Fatalf("%s, %s: %s", p, file, wrong)
					}
					if err != nil {
						refused[kind]++
						continue
					}
					written[kind]++
				}
			}
		}
		t.Logf("%s: %d that fit are written, %d refused; %d others written, %d refused", p, written[0], refused[0], written[1], refused[1])
		quotes := slices.Contains([]string{"wire", "hermes", "gemma-fence"}, p.String())
		if quotes && refused != [2]int{} || refused[0] > written[0]/4 || refused[1] > 2*written[1] {
			t.Errorf("%s: %d calls that fit are refused, %d others", p, refused[0], refused[1])
		}
	}
}

// trip writes a call in hostile text and reads it back, and says what went wrong. The error
// is the writer's.
func (c *checker) trip(s Source, catalog *sig.Catalog, tool, input string) (wrong string, err error) {
	text, err := parse.FormatOptions{Protocol: c.p}.Format(catalog, tool, []byte(input))
	if err != nil {
		return "", err
	}
	around := func() string {
		name, _, _ := strings.Cut(text, tool)
		return oneOf(s, "", " ", "a < b ", "\"", "'", "```", "\xff", name[:s.IntN(len(name)+1)], name+"x", name+tool, text[len(text)-1-s.IntN(len(text)):], oneOf(s, c.pieces...), oneOf(s, c.calls...), Text(s))
	}
	tr := trip{catalog: catalog, tool: tool, input: input, before: around(), after: around()}
	opts := parse.Options{Protocol: c.p}
	before := opts.Text(tr.before, catalog)
	if n := len(before); n > 0 && before[n-1].Kind == parse.Malformed && !before[n-1].Closed {
		tr.before, before = "", nil // a call is open: what follows belongs to it
	}
	return tr.inside(opts, before, text, canonical([]byte(input))), nil
}
