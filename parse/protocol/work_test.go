package protocol_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// An argument of 1 MB in chunks of four bytes takes no more steps per byte than one of
// 16 KB.
func TestStepsPerByte(t *testing.T) {
	for _, name := range protocol.Names(yaml.XML) {
		p := protocol.ByName(name, yaml.XML)
		for _, key := range []string{"query", "types"} { // one streams, the other waits
			steps := func(n int) float64 {
				input := `{"query":"` + strings.Repeat("lorem <ipsum>, ", n/15) + `"}`
				if key == "types" {
					input = `{"types":["a",` + input[len(`{"query":`):len(input)-1] + `]}`
				}
				call := written(t, p, workTool, "search_files", input)
				r, err := parse.NewReader(workTool, parse.Options{Protocol: p})
				if err != nil {
					t.Fatal(err)
				}
				if drain(r, call, 4) != 1 {
					t.Fatalf("%s: no call", p)
				}
				return float64(r.Steps()) / float64(len(call))
			}
			if small, large := steps(1<<14), steps(1<<18); large > 1.15*small {
				t.Errorf("%s, %s: %.2f steps per byte, %.2f of 16 KB", p, key, large, small)
			}
		}
	}
}

// Openers that are spoken of are not looked at again for each of those before them, be it
// that of one tool or of several; nor is the text behind what may begin one, or reasoning.
func TestStepsOfOpeners(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t"},{"name":"m"}]`))
	if err != nil {
		t.Fatal(err)
	}
	protocols := []parse.Protocol{protocol.Any(nil, yaml.XML), protocol.Any(yaml.XML, protocol.Hermes), protocol.Any(protocol.Hermes, protocol.MorphXML, nil)}
	for _, name := range protocol.Names(yaml.XML) {
		protocols = append(protocols, protocol.ByName(name, yaml.XML))
	}
	for _, p := range protocols {
		readers := 1 + strings.Count(p.String(), ",")
		for _, unit := range []string{"<t>", "<t><m>", "<t></a>", "<t> of <m>x: ", "<t>\n", "<t/", "<tool_call>", "<tool_call> <function=", "```tool_call", "<call>", "– a", "b `", "[THINK]c[/THINK]", "[1] a < b `"} {
			for _, size := range []int{1, 4096} {
				r, err := parse.NewReader(catalog, parse.Options{Protocol: p, Salvage: true, Reasoning: true})
				if err != nil {
					t.Fatal(err)
				}
				text := []byte("!" + strings.Repeat(unit, 1<<15/len(unit)))
				drain(r, text, size)
				if per := float64(r.Steps()) / float64(len(text)); per > float64(20*readers) {
					t.Errorf("%s, %q in chunks of %d: %.1f steps for a byte", p, unit, size, per)
				}
			}
		}
	}
}

// Text, damage and one call after the other take no memory that grows with the message.
func TestBoundedMemory(t *testing.T) {
	const n, most = 2 << 20, 1 << 19
	for _, name := range protocol.Names(yaml.XML) {
		p := protocol.ByName(name, yaml.XML)
		call := string(written(t, p, workTool, "search_files", workInput))
		for kind, piece := range map[string]string{"text": "a < b, ", "calls": call + " ", "damage": call[:len(call)/2] + "\x00", "open": "<tool_call>\n<"} {
			start := ""
			if kind == "damage" || kind == "open" {
				start = call[:len(call)/2]
			}
			r, err := parse.NewReader(workTool, parse.Options{Protocol: p, Limits: lexer.Limits{Bytes: 1 << 14}})
			if err != nil {
				t.Fatal(err)
			}
			heap := func() uint64 {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			chunk := []byte(strings.Repeat(piece, 1+4000/len(piece)))
			before := heap()
			r.Feed([]byte(start))
			for fed := 0; fed < n; fed += len(chunk) {
				r.Feed(chunk)
				for r.Next() != parse.NoPart {
				}
			}
			after := heap()
			runtime.KeepAlive(r)
			if after > before+most {
				t.Errorf("%s, %s: %d bytes more after %d", p, kind, after-before, n)
			}
		}
	}
}

// Calls that come in one chunk cost no more each the more there are.
func TestCallsOfOneChunk(t *testing.T) {
	several := protocol.Any(protocol.Wire, protocol.Hermes, protocol.Qwen3Coder, protocol.MorphXML, yaml.XML, protocol.GemmaFence)
	for _, name := range append(protocol.Names(yaml.XML), "") {
		p := several
		if name != "" {
			p = protocol.ByName(name, yaml.XML)
		}
		call := string(written(t, p, workTool, "search_files", `{"query":"a"}`)) + "\n"
		perCall := func(count int) float64 {
			r, err := parse.NewReader(workTool, parse.Options{Protocol: p})
			if err != nil {
				t.Fatal(err)
			}
			text := []byte(strings.Repeat(call, count))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if got := drain(r, text, len(text)); got != count {
				t.Fatalf("%s: %d calls of %d", p, got, count)
			}
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc-before.TotalAlloc) / float64(count)
		}
		if few, many := perCall(100), perCall(1600); many > 1.5*few+100 {
			t.Errorf("%s: %.0f bytes are allocated for each of 1600 calls, %.0f of 100", p, many, few)
		}
	}
}
