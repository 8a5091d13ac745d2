package stream_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz/ratio"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// What the benchmarks promise is said as ratios. To see them on a busy machine,
// take the least of many short runs:
//
//	go test -run '^$' -bench . -benchtime 10ms -count 30 -cpu 1 ./stream

const weatherTools = `[{"name":"getWeather","inputSchema":{"type":"object","properties":{"location":{"type":"string"},"units":{"type":"string","enum":["metric","imperial"]}},"required":["location"]}}]`

func weatherCatalog(tb testing.TB) *sig.Catalog {
	c, err := sig.Compile(weatherTools)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// transcript is 200 bytes of prose and a call.
const transcript = `I can check that for you right away. Before I do, a word about units: the service answers in metric or imperial ones, and I take the former unless you say otherwise. One moment, let me look it up now.` +
	`<call>getWeather location="New York" units=metric</call>`

// decode decodes one message in chunks of the given size.
func decode(d *stream.Decoder, in []byte, size int) (events int) {
	d.Reset()
	for i := 0; i < len(in); i += size {
		events += len(d.Feed(in[i:min(len(in), i+size)]))
	}
	return events
}

// BenchmarkTranscript decodes 100 messages of 200 bytes of prose and a call. The
// metric ratio is the time against chunks of 4 KB.
func BenchmarkTranscript(b *testing.B) {
	const n = 100
	in := []byte(strings.Repeat(transcript, n))
	d := stream.NewDecoder(weatherCatalog(b), stream.Options{})
	for _, size := range []int{4096, 64, 16, 4, 1} {
		b.Run(fmt.Sprintf("chunk=%d", size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				decode(d, in, size)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/call")
		})
		if size < 4096 {
			b.Run(fmt.Sprintf("chunk=%d/ratio", size), func(b *testing.B) {
				ratio.Report(b, func() { decode(d, in, size) }, func() { decode(d, in, 4096) }, 1)
			})
		}
	}
}

// feeder is what a decoder is to whoever feeds it.
type feeder interface{ Feed([]byte) []stream.Event }

type idler struct{ events []stream.Event }

// Feed does nothing.
//
//go:noinline
func (d *idler) Feed([]byte) []stream.Event { return d.events }

// BenchmarkChunk decodes prose, a long argument and calls in small chunks. The
// metric ratio is the time against a method that does nothing, which is called
// through an interface with the same chunks.
func BenchmarkChunk(b *testing.B) {
	prose := strings.Repeat("I can check that for you right away. ", 600)
	d := stream.NewDecoder(weatherCatalog(b), stream.Options{})
	feed := func(f feeder, in []byte, size int) {
		for i := 0; i < len(in); i += size {
			f.Feed(in[i:min(len(in), i+size)])
		}
	}
	for _, c := range []struct{ name, in string }{
		{"prose", prose},
		{"string", `<call>getWeather location="` + prose},
		{"calls", strings.Repeat(transcript[strings.IndexByte(transcript, '<'):], 300)},
		{"transcript", strings.Repeat(transcript, 100)},
	} {
		in := []byte(c.in)
		for _, size := range []int{4, 1} {
			b.Run(fmt.Sprintf("%s/chunk=%d/ratio", c.name, size), func(b *testing.B) {
				ratio.Report(b, func() { d.Reset(); feed(d, in, size) }, func() { feed(new(idler), in, size) }, 1)
			})
		}
	}
}

// BenchmarkString decodes a string of 1 MB. The metric ratio is the time of a
// byte against that in a string of 16 KB.
func BenchmarkString(b *testing.B) {
	call := func(n int) []byte {
		return []byte(`<call>t s="` + strings.Repeat("plain text, no escapes. ", n/24+1)[:n] + `"</call>`)
	}
	small, large := call(16<<10), call(1<<20)
	d := stream.NewDecoder(nil, stream.Options{})
	for _, size := range []int{1, 4, 64, 4096, 1 << 30} {
		name := fmt.Sprintf("chunk=%d", size)
		if size == 1<<30 {
			name = "whole"
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(large)))
			b.ReportAllocs()
			decode(d, large, size)
			for b.Loop() {
				decode(d, large, size)
			}
		})
		b.Run(name+"/ratio", func(b *testing.B) {
			ratio.Report(b, func() { decode(d, large, size) }, func() {
				for range 64 {
					decode(d, small, size)
				}
			}, 1)
		})
	}
}

// BenchmarkProse decodes 1 MB of text in chunks of 4 KB. The metric ratio is the
// time against jumps with bytes.IndexByte over the same chunks.
func BenchmarkProse(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"plain", "The quick brown fox jumps over the lazy dog, and then a = b + c for d.\n"},
		{"stray", "The quick brown fox jumps over the lazy dog, and then a < b + c for d.\n"},
	} {
		in := []byte(strings.Repeat(c.line, 1<<20/len(c.line)))
		d := stream.NewDecoder(nil, stream.Options{})
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				decode(d, in, 4096)
			}
		})
		b.Run(c.name+"/ratio", func(b *testing.B) {
			ratio.Report(b, func() { decode(d, in, 4096) }, func() {
				for i := 0; i < len(in); i += 4096 {
					for chunk, n := in[i:min(len(in), i+4096)], 0; n >= 0; {
						if n = bytes.IndexByte(chunk, '<'); n >= 0 {
							chunk = chunk[n+1:]
						}
					}
				}
			}, 1)
		})
	}
}

// BenchmarkDeltas reads the transcripts by the engine below. The metric ratio is
// the time with the parts of unfinished calls against that without them.
func BenchmarkDeltas(b *testing.B) {
	in := []byte(strings.Repeat(transcript, 100))
	with, err := parse.NewParser(weatherCatalog(b), parse.Options{})
	if err != nil {
		b.Fatal(err)
	}
	without, err := parse.NewParser(weatherCatalog(b), parse.Options{WholeCalls: true})
	if err != nil {
		b.Fatal(err)
	}
	read := func(p *parse.Parser, size int) {
		p.Reset()
		for i := 0; i < len(in); i += size {
			p.Feed(in[i:min(len(in), i+size)])
			for p.Next() != parse.NoPart {
			}
		}
	}
	for _, size := range []int{4096, 64, 16, 4, 1} {
		b.Run(fmt.Sprintf("chunk=%d/ratio", size), func(b *testing.B) {
			ratio.Report(b, func() { read(with, size) }, func() { read(without, size) }, 1)
		})
	}
}

// BenchmarkSalvage decodes messages that need no repair. The metric ratio is the time
// against that without Salvage.
func BenchmarkSalvage(b *testing.B) {
	for _, text := range []struct{ name, in string }{
		{"transcript", strings.Repeat(transcript, 100)},
		{"prose", strings.Repeat("I can check that for you right away. \n", 600)},
	} {
		in := []byte(text.in)
		for _, stop := range []bool{false, true} {
			plain := stream.NewDecoder(weatherCatalog(b), stream.Options{Options: parse.Options{StopAfterMalformed: stop}})
			salvaging := stream.NewDecoder(weatherCatalog(b), stream.Options{Options: parse.Options{StopAfterMalformed: stop, Salvage: true}})
			for _, size := range []int{4096, 64, 16, 4} {
				b.Run(fmt.Sprintf("%s/stop=%t/chunk=%d/ratio", text.name, stop, size), func(b *testing.B) {
					ratio.Report(b, func() { decode(salvaging, in, size) }, func() { decode(plain, in, size) }, 1)
				})
			}
		}
	}
}
