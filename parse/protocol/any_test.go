package protocol_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// A call is of the protocol whose opener comes first, whatever was read before and which of
// them has read further.
func TestAnyFirst(t *testing.T) {
	catalog := mustCompile(`[{"name": "t", "inputSchema": {"properties": {"a": {"type": "string"}}}}, {"name": "u"}]`)
	const hermes, wire, element = `<tool_call>{"name":"t"}</tool_call>`, `<call>t</call>`, `<t><a>x</a></t>`
	for _, before := range []string{"", hermes, wire, element, "<u/>", wire + hermes, element + " x " + wire + "<u/>"} {
		for _, p := range []parse.Protocol{protocol.Any(protocol.Hermes, protocol.MorphXML, nil), protocol.Any(nil, protocol.MorphXML, protocol.Hermes), protocol.Any(protocol.MorphXML, nil, protocol.Hermes)} {
			o := parse.Options{Protocol: p}
			for text, want := range map[string]string{
				wire + hermes + element:               "call t {}\ncall t {}\n" + `call t {"a":"x"}`,
				"<call>t </t>" + wire:                 `malformed`, // an element of another format is none in a call
				"<t><a>" + wire + "</a></t>" + hermes: fmt.Sprintf("call t {\"a\":%q}\ncall t {}", wire),
				`<tool_call>{"name":"t","arguments":{"a":"<t></t>"}}</tool_call>x`: `call t {"a":"<t></t>"}` + "\n" + `text "x"`,
			} {
				got := show(o.Text(before+text, catalog))
				if rest := got[len(show(o.Text(before, catalog))):]; !strings.HasPrefix(rest, want) {
					t.Errorf("%s: %q after %q:\n%swant %s", p, text, before, got, want)
				}
			}
		}
	}
}

// Openers that prose mentions take no memory that grows with what must be read to tell.
func TestAnyMemory(t *testing.T) {
	catalog := mustCompile(`[{"name": "t"}]`)
	for _, p := range []parse.Protocol{protocol.Any(nil, yaml.XML), protocol.Any(protocol.Hermes, protocol.MorphXML)} {
		for _, size := range []int{1, 4096} {
			r, err := parse.NewReader(catalog, parse.Options{Protocol: p, Salvage: true})
			if err != nil {
				t.Fatal(err)
			}
			text := []byte(strings.Repeat("<t>", 1<<15))
			var from, to runtime.MemStats
			runtime.ReadMemStats(&from)
			drain(r, text, size)
			runtime.ReadMemStats(&to)
			if per := float64(to.TotalAlloc-from.TotalAlloc) / float64(len(text)); per > 60 {
				t.Errorf("%s in chunks of %d: %.1f bytes for a byte", p, size, per)
			}
		}
	}
}
