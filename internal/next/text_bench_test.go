package next

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/next/lexer"
	"github.com/callwire/callwire/internal/next/parse"
	"github.com/callwire/callwire/sig"
)

// BenchmarkText reads text without calls, in chunks; jump is the least that looking for a < takes.
func BenchmarkText(b *testing.B) {
	catalog, _ := sig.Compile([]byte(tools))
	html := "<div class=\"a\"><p>The <b>quick</b> brown fox</p><br/><a href=\"/x\">jumps</a> over.</div>\n"
	prose := "The quick brown fox jumps over the lazy dog, and then it runs away from the hunter.\n"
	options := []struct {
		name string
		parse.Options
	}{
		{"bare", parse.Options{AllowInCode: true}},
		{"default", parse.Options{}},
		{"all", parse.Options{Reasoning: lexer.TaggedReasoning, Repair: true}},
	}
	for name, line := range map[string]string{"html": html, "prose": prose} {
		text := []byte(strings.Repeat(line, 4096/len(line)*16))
		for _, size := range []int{4, 4096} {
			run := func(name string, read func(chunk []byte)) {
				b.Run(name, func(b *testing.B) {
					b.SetBytes(int64(len(text)))
					for range b.N {
						for w := text; len(w) > 0; {
							k := min(size, len(w))
							read(w[:k])
							w = w[k:]
						}
					}
					ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
					b.ReportMetric(ns/float64(len(text)/size), "ns/chunk")
				})
			}
			run(fmt.Sprintf("%s/%d/jump", name, size), func(chunk []byte) {
				for n := 0; n >= 0; chunk = chunk[n+1:] {
					if n = bytes.IndexByte(chunk, '<'); n < 0 {
						break
					}
				}
			})
			for _, o := range options {
				p := newParser(catalog, o.Options)
				run(fmt.Sprintf("%s/%d/%s", name, size, o.name), func(chunk []byte) { p.Feed(chunk) })
			}
		}
	}
}
