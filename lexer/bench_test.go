package lexer_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz/ratio"
	"github.com/callwire/callwire/lexer"
)

// What the benchmarks promise is said as ratios. To see them on a busy machine,
// take the least of many short runs:
//
//	go test -run '^$' -bench . -benchtime 10ms -count 30 -cpu 1 ./lexer

const weather = `<call>getWeather location="New York" units=metric</call>`

// prose returns n bytes of text. A stray < stands in every line of it, if asked
// for: 1 in 72 bytes.
func prose(n int, stray bool) []byte {
	line := "The quick brown fox jumps over the lazy dog, and then a = b + c for d.\n"
	if stray {
		line = "The quick brown fox jumps over the lazy dog, and then a < b + c for d.\n"
	}
	return []byte(strings.Repeat(line, n/len(line)+1)[:n])
}

// readTokens reads one message in chunks of the given size.
func readTokens(l *lexer.Lexer, in []byte, size int) (tokens int) {
	l.Reset(lexer.Config{})
	for i := 0; i < len(in); i += size {
		l.Feed(in[i:min(len(in), i+size)])
		for !idle(l) {
			n := len(l.Tokens())
			if tokens += n; n == 0 {
				break
			}
		}
	}
	return tokens
}

// jump looks at every < of in, chunk by chunk, and does nothing else: the least
// that reading text for calls can take.
func jump(in []byte, size int) (found int) {
	for i := 0; i < len(in); i += size {
		chunk := in[i:min(len(in), i+size)]
		for {
			n := bytes.IndexByte(chunk, '<')
			if n < 0 {
				break
			}
			found++
			chunk = chunk[n+1:]
		}
	}
	return found
}

// BenchmarkProse reads 1 MB of text in chunks of 4 KB. The metric ratio is the
// time against jumps with bytes.IndexByte over the same chunks.
func BenchmarkProse(b *testing.B) {
	for _, stray := range []bool{false, true} {
		name := "plain"
		if stray {
			name = "stray"
		}
		in := prose(1<<20, stray)
		l, _ := lexer.New(lexer.Config{})
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				readTokens(l, in, 4096)
			}
		})
		b.Run(name+"/ratio", func(b *testing.B) {
			ratio.Report(b, func() { readTokens(l, in, 4096) }, func() { jump(in, 4096) }, 1)
		})
	}
}

// BenchmarkCall reads one call, a chunk of its own.
func BenchmarkCall(b *testing.B) {
	for _, text := range []string{
		weather,
		`<call>t</call>`,
		`<call>t a=[1, 2, "x"] b={c: d}</call>`,
		`<call>t a.b=1 a.c=2 a.d.e=x</call>`,
	} {
		b.Run(text[len("<call>"):len("<call>")+6], func(b *testing.B) {
			l, _ := lexer.New(lexer.Config{})
			in := []byte(text)
			b.ReportAllocs()
			for b.Loop() {
				readTokens(l, in, len(in))
			}
		})
	}
}

// BenchmarkString reads a string of 1 MB. The metric ratio is the time of a byte
// against that in a string of 16 KB.
func BenchmarkString(b *testing.B) {
	call := func(n int) []byte {
		return []byte(`<call>t s="` + strings.Repeat("plain text, no escapes. ", n/24+1)[:n] + `"</call>`)
	}
	small, large := call(16<<10), call(1<<20)
	l, _ := lexer.New(lexer.Config{})
	for _, size := range []int{1, 4096, 1 << 30} {
		name := "chunk=" + strconv.Itoa(size)
		if size == 1<<30 {
			name = "whole"
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(large)))
			b.ReportAllocs()
			readTokens(l, large, size)
			for b.Loop() {
				readTokens(l, large, size)
			}
		})
		b.Run(name+"/ratio", func(b *testing.B) {
			ratio.Report(b, func() { readTokens(l, large, size) }, func() {
				for range 64 {
					readTokens(l, small, size)
				}
			}, 1)
		})
	}
}
