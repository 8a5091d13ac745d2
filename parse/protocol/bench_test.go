package protocol_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz/ratio"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// work is a tool, and arguments as agents give it.
var workTool = mustCompile(`[{"name": "search_files", "inputSchema": {"type": "object", "required": ["query"], "properties": {
	"query": {"type": "string"}, "path": {"type": "string"}, "limit": {"type": "integer"}, "deep": {"type": "boolean"},
	"types": {"type": "array", "items": {"type": "string"}}, "since": {"type": "string"}, "text": {"type": "string"}}}}]`)

const workInput = `{"query":"where the parser is reset between messages","path":"/src/project/internal","limit":25,"deep":true,"types":["go","md"],"since":"2026-01-01"}`

// drain reads message in chunks of a size, and returns the number of calls.
func drain(r parse.Reader, message []byte, size int) (calls int) {
	r.Reset()
	read := func() {
		for part := r.Next(); part != parse.NoPart; part = r.Next() {
			if part == parse.CallPart {
				calls++
			}
		}
	}
	for len(message) > 0 {
		n := min(size, len(message))
		r.Feed(message[:n])
		read()
		message = message[n:]
	}
	r.Close()
	read()
	return calls
}

func written(t testing.TB, p parse.Protocol, catalog *sig.Catalog, tool, input string) []byte {
	t.Helper()
	text, err := parse.FormatOptions{Protocol: p}.Format(catalog, tool, []byte(input))
	if err != nil {
		t.Fatal(err)
	}
	return []byte(text)
}

// Nothing is allocated once the buffers have grown, whatever the chunks.
func TestAllocations(t *testing.T) {
	for _, p := range []parse.Protocol{protocol.Hermes, protocol.Qwen3Coder, protocol.MorphXML} {
		call := written(t, p, workTool, "search_files", workInput)
		message := []byte(strings.Repeat("Let me look. "+string(call)+"\n", 5))
		for _, size := range []int{1, 4, 64, 1 << 20} {
			r, err := parse.NewReader(workTool, parse.Options{Protocol: p})
			if err != nil {
				t.Fatal(err)
			}
			if n := drain(r, message, size); n != 5 {
				t.Fatalf("%s: %d calls", p, n)
			}
			drain(r, message, size)
			if n := testing.AllocsPerRun(20, func() { drain(r, message, size) }); n > 0 {
				t.Errorf("%s in chunks of %d: %v allocations", p, size, n)
			}
		}
	}
}

// BenchmarkCall reads one call after the other, whole and in chunks of four bytes. The
// metric ratio is the time against encoding/json, which decodes the same arguments into a
// map of their own.
func BenchmarkCall(b *testing.B) {
	input := []byte(workInput)
	for _, name := range protocol.Names() {
		p := protocol.ByName(name)
		call := written(b, p, workTool, "search_files", workInput)
		r, err := parse.NewReader(workTool, parse.Options{Protocol: p, WholeCalls: true})
		if err != nil {
			b.Fatal(err)
		}
		for _, size := range []int{4, len(call)} {
			kind := "chunk=4"
			if size > 4 {
				kind = "whole"
			}
			b.Run(name+"/"+kind, func(b *testing.B) {
				ratio.Report(b, func() {
					for range 300 {
						drain(r, call, size)
					}
				}, func() {
					for range 300 {
						var v map[string]any
						json.Unmarshal(input, &v)
					}
				}, 1)
			})
		}
	}
}

// BenchmarkString reads an argument of 1 MB in chunks of four bytes. The metric ratio is
// the time of a byte against that in an argument of 16 KB: with readers whose buffers
// have grown, and with new ones.
func BenchmarkString(b *testing.B) {
	for _, name := range protocol.Names() {
		p := protocol.ByName(name)
		call := func(n int) []byte {
			return written(b, p, workTool, "search_files", `{"query":"`+strings.Repeat("lorem ipsum, ", n/13)+`"}`)
		}
		small, large := call(1<<14), call(1<<20)
		fresh := func() parse.Reader {
			r, err := parse.NewReader(workTool, parse.Options{Protocol: p})
			if err != nil {
				b.Fatal(err)
			}
			return r
		}
		compare := func(name string, reader func() parse.Reader) {
			b.Run(name, func(b *testing.B) {
				ratio.Report(b, func() { drain(reader(), large, 4) }, func() {
					for range 64 {
						drain(reader(), small, 4)
					}
				}, 1)
			})
		}
		r := fresh()
		compare(name, func() parse.Reader { return r })
		compare(name+"/fresh", fresh)
	}
}
