package parse_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

const benchTools = `[{"name":"getWeather","description":"Get the weather.","inputSchema":{"type":"object","properties":{"location":{"type":"string"},"units":{"type":"string","enum":["metric","imperial"]}},"required":["location"]}},
{"name":"searchProducts","inputSchema":{"type":"object","properties":{"query":{"type":"string"},"maxResults":{"type":"integer"},"inStock":{"type":"boolean"}},"required":["query"]}}]`

func catalog(tb testing.TB) *sig.Catalog {
	c, err := sig.Compile(benchTools)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

var calls = []struct{ name, wire, native string }{
	{"weather", `<call>getWeather location="New York" units=metric</call>`, `{"type":"tool_use","id":"toolu_01ABCDEFG","name":"getWeather","input":{"location":"New York","units":"metric"}}`},
	{"search", `<call>searchProducts query="noise cancelling headphones" maxResults=5 inStock=true</call>`, `{"type":"tool_use","id":"toolu_01ABCDEFG","name":"searchProducts","input":{"query":"noise cancelling headphones","maxResults":5,"inStock":true}}`},
}

func BenchmarkCall(b *testing.B) {
	for _, c := range calls {
		b.Run(c.name+"/wire", func(b *testing.B) {
			p, _ := parse.NewParser(catalog(b), parse.Options{})
			in := []byte(c.wire)
			b.ReportAllocs()
			for b.Loop() {
				p.Feed(in)
				for part := p.Next(); part != parse.NoPart; part = p.Next() {
					if part == parse.CallPart && len(p.Segment().Input) == 0 {
						b.Fatal()
					}
				}
			}
		})
		b.Run(c.name+"/json", func(b *testing.B) {
			in := []byte(c.native)
			b.ReportAllocs()
			for b.Loop() {
				var v struct {
					Type  string          `json:"type"`
					ID    string          `json:"id"`
					Name  string          `json:"name"`
					Input json.RawMessage `json:"input"`
				}
				if json.Unmarshal(in, &v) != nil {
					b.Fatal()
				}
			}
		})
	}
}

func BenchmarkParts(b *testing.B) {
	for _, in := range []string{"plain", "<call>t</call>", "<call>getWeather</call>", "<call>getWeather location=Rome</call>", "<call>getWeather location=Rome units=metric</call>"} {
		b.Run(in, func(b *testing.B) {
			p, _ := parse.NewParser(catalog(b), parse.Options{})
			in := []byte(in)
			for b.Loop() {
				p.Feed(in)
				for part := p.Next(); part != parse.NoPart; part = p.Next() {
				}
			}
		})
	}
}

func BenchmarkString(b *testing.B) {
	for _, n := range []int{16 << 10, 1 << 20} {
		for _, chunk := range []int{1, 4096, 1 << 30} {
			in := []byte(`<call>t s="` + strings.Repeat("plain text, no escapes. ", n/24) + `"</call>`)
			b.Run(strings.Join([]string{sizeName(n), sizeName(chunk)}, "/"), func(b *testing.B) {
				p, _ := parse.NewParser(nil, parse.Options{})
				b.SetBytes(int64(len(in)))
				b.ReportAllocs()
				for b.Loop() {
					p.Reset()
					for i := 0; i < len(in); i += chunk {
						p.Feed(in[i:min(len(in), i+chunk)])
						for p.Next() != parse.NoPart {
						}
					}
				}
			})
		}
	}
}

func sizeName(n int) string {
	switch {
	case n >= 1<<30:
		return "whole"
	case n >= 1<<20:
		return "1MB"
	case n >= 1<<10:
		return string(rune('0'+n>>10/10)) + "KB"
	}
	return "1B"
}
