package engine_test

import (
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
)

// TestAllocations: a call allocates nothing once the buffers have grown, whole or in tokens; nor
// does a malformed one. Issues and JSON in strings do.
func TestAllocations(t *testing.T) {
	const root = "../../cmd/callwire/internal/bench/"
	tools, err := os.ReadFile(root + "catalog.json")
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := sig.Compile(tools)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(root + "calls.json")
	if err != nil {
		t.Fatal(err)
	}
	var calls []struct {
		Name  string
		Input json.RawMessage
	}
	if err := json.Unmarshal(data, &calls); err != nil {
		t.Fatal(err)
	}
	formats := []*format.Format{format.Wire, format.Hermes, format.Qwen3Coder, format.MorphXML}
	for _, f := range formats {
		p := newParser(t, catalog, &engine.Options{Format: f})
		for _, c := range calls {
			call := engine.Written{Name: c.Name, Input: c.Input}
			text, err := engine.AppendCall(nil, catalog, call, &engine.WriteOptions{Format: f})
			if err != nil {
				t.Fatal(err)
			}
			for most, in := range [][]byte{text, text[:len(text)-3]} { // a fault takes one
				for _, size := range []int{1 << 20, 4} {
					chunks := fuzz.Sized(in, size)
					n := testing.AllocsPerRun(20, func() {
						p.Reset()
						for _, c := range chunks {
							p.Feed(c)
						}
						p.Close()
					})
					if n > float64(most) {
						t.Errorf("%s: %v allocations, chunks of %d: %s", f, n, size, in)
					}
				}
			}
		}
	}
}

// TestIdle: a parser that waits for the next token of a model holds at most a kilobyte with the
// Decoder around it, whatever it has read, in every format and with all options; in a call a little
// more.
func TestIdle(t *testing.T) {
	const most = 1024 - 48
	then := strings.Repeat(" then I look.", 5)
	for _, f := range fuzz.Formats {
		call := callOfNow(t, f)
		for _, said := range []string{
			"", "Let me look. ", call + "Let me look. ", "<think>Let me look. ",
			"<think>I look.</think>\n```\nThen I look again. ",
			`<tool_call>{"name": "now", "arguments": {}}</tool_call><CALL>now</CALL>Let me look. `,
		} {
			o := &engine.Options{Format: f, Repair: true, Reasoning: format.TaggedReasoning}
			if size := idle(t, o, "", said+then); size > most {
				t.Errorf("%s: %d bytes after %q", f, size, said)
			}
		}
	}
	first := "Let me look. <call>get_weather city=\"" + strings.Repeat("x", 20000) + "\"</call> And"
	if size := idle(t, &engine.Options{}, first, then); size > most {
		t.Errorf("%d bytes after a long chunk", size)
	}
	const call = `<call>get_weather city="x y" at.lat=1 days=`
	if size := idle(t, &engine.Options{}, "", call); size > 5000 {
		t.Errorf("%d bytes in a call", size)
	}
}

var weather = func() *sig.Catalog {
	c, err := sig.Compile(`[{"name": "now"}, {"name": "get_weather", "inputSchema": {
		"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"},
		"at": {"type": "object", "properties": {"lat": {"type": "number"}}}}}}]`)
	if err != nil {
		panic(err)
	}
	return c
}()

// callOfNow returns a call without arguments.
func callOfNow(t *testing.T, f *format.Format) string {
	t.Helper()
	call := engine.Written{Name: "now", Input: []byte("{}")}
	text, err := engine.AppendCall(nil, weather, call, &engine.WriteOptions{Format: f})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// idle returns how many bytes a parser holds after a first chunk and a text that comes in
// small chunks.
func idle(t *testing.T, o *engine.Options, first, said string) int {
	t.Helper()
	config, err := engine.Compile(weather, o, 0)
	if err != nil {
		t.Fatal(err)
	}
	heap := func() int {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	var parsers [500]*engine.Parser
	before := heap()
	for i := range parsers {
		parsers[i] = config.NewParser()
		parsers[i].Feed([]byte(first))
		token := make([]byte, 0, 20)
		for r := strings.NewReader(said); r.Len() > 0; {
			n, _ := r.Read(token[:cap(token)])
			parsers[i].Feed(token[:n])
			parsers[i].Drop()
		}
	}
	size := (heap() - before) / len(parsers)
	runtime.KeepAlive(&parsers)
	return size
}
