// Package bench measures how long reading calls takes, beside fastjson and sonic on the native form
// of the same calls. It is a module of its own, so that callwire does not depend on these
// libraries; run it in a workspace:
//
//	go work init . ./internal/bench
//	go test -bench . -count 6 ./internal/bench
//
// Times are CPU times of a call, a chunk or a kilobyte. That of fastjson depends on what else the
// process does, by up to a quarter.
package bench

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/bytedance/sonic"
	"github.com/callwire/callwire/sig"
	"github.com/valyala/fastjson"
	"golang.org/x/sys/unix"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/stream"
)

// row is a benchmark.
type row struct {
	name  string
	units int // calls, chunks or kilobytes
	run   func()
}

func BenchmarkRead(b *testing.B) {
	catalog, calls := load("../../cmd/callwire/internal/bench/")
	r := rand.New(rand.NewSource(7))
	var order []call
	for range 64 {
		for _, k := range r.Perm(len(calls)) {
			order = append(order, calls[k])
		}
	}
	for _, x := range table(catalog, order) {
		b.Run(x.name, func(b *testing.B) {
			runtime.LockOSThread()
			rounds, start := 0, cpu()
			for b.Loop() {
				x.run()
				rounds++
			}
			spent := float64(cpu() - start)
			b.ReportMetric(spent/float64(rounds)/float64(x.units), "cpu-ns/unit")
		})
	}
}

// cpu returns the CPU time of the thread.
func cpu() time.Duration {
	var ts unix.Timespec
	check(unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts))
	return time.Duration(ts.Nano())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// call is a call of the corpus of the benchmark.
type call struct {
	Name  string
	Input json.RawMessage
}

// load reads the catalog and the calls of the benchmark.
func load(dir string) (*sig.Catalog, []call) {
	tools, err := os.ReadFile(dir + "catalog.json")
	check(err)
	catalog, err := sig.Compile(tools)
	check(err)
	b, err := os.ReadFile(dir + "calls.json")
	check(err)
	var calls []call
	check(json.Unmarshal(b, &calls))
	return catalog, calls
}

// native returns a call as APIs send it.
func native(c call) []byte {
	var input any
	check(json.Unmarshal(c.Input, &input))
	b, err := json.Marshal(map[string]any{
		"type": "tool_use", "id": "toolu_01ABCDEFG", "name": c.Name, "input": input,
	})
	check(err)
	return b
}

func table(catalog *sig.Catalog, calls []call) []row {
	texts := map[*format.Format][][]byte{}
	formats := []*format.Format{format.Wire, format.Hermes, format.Qwen3Coder, format.KimiK2}
	var natives, inputs [][]byte
	for _, c := range calls {
		natives, inputs = append(natives, native(c)), append(inputs, c.Input)
		for _, f := range formats {
			text, err := engine.AppendCall(nil, catalog,
				engine.Written{Name: c.Name, Input: c.Input}, &engine.WriteOptions{Format: f})
			check(err)
			texts[f] = append(texts[f], text)
		}
	}
	n := len(calls)
	rows := []row{{"fastjson", n, func() {
		var p fastjson.Parser
		for _, b := range natives {
			_, err := p.ParseBytes(b)
			check(err)
		}
	}}, {"sonic", n, func() {
		for _, b := range natives {
			_, err := sonic.Get(b, "input")
			check(err)
		}
	}}, {"encoding/json, arguments", n, func() {
		for _, b := range inputs {
			var v any
			check(json.Unmarshal(b, &v))
		}
	}}}
	for _, f := range formats {
		in, o := texts[f], &engine.Options{Format: f}
		rows = append(rows,
			row{f.Name + " whole", n, reading(catalog, o, engine.WholeCalls, in, 1<<20)},
			row{f.Name + " events", n, reading(catalog, o, 0, in, 1<<20)},
			row{f.Name + " 4-byte chunk", chunks(in, 4), reading(catalog, o, 0, in, 4)},
			row{f.Name + " call in 4-byte chunks", n, reading(catalog, o, 0, in, 4)},
			row{f.Name + " decoder", n, decoding(catalog, &stream.Options{Format: f}, in)},
		)
	}
	return append(rows, textRows(catalog)...)
}

// chunks returns how many chunks of a size the texts have.
func chunks(in [][]byte, size int) (n int) {
	for _, b := range in {
		n += (len(b) + size - 1) / size
	}
	return n
}

// callsPerMessage is how many calls a message has.
const callsPerMessage = 19

// reading reads calls in chunks of a size, with the engine.
func reading(
	catalog *sig.Catalog, o *engine.Options, mode engine.Mode, in [][]byte, size int,
) func() {
	p, err := engine.NewParser(catalog, o, mode)
	check(err)
	return func() {
		for i, b := range in {
			if i%callsPerMessage == 0 {
				p.Reset()
			}
			for ; len(b) > size; b = b[size:] {
				p.Feed(b[:size])
			}
			p.Feed(b)
		}
	}
}

// decoding reads whole calls with a Decoder, which copies what belongs to the caller.
func decoding(catalog *sig.Catalog, o *stream.Options, in [][]byte) func() {
	d, err := stream.NewDecoder(catalog, func(stream.Event) error { return nil }, o)
	check(err)
	return func() {
		for i, b := range in {
			if i%callsPerMessage == 0 {
				d.Reset()
			}
			_, err := d.Write(b)
			check(err)
		}
	}
}

// textRows are rows of long strings and of text without calls, per kilobyte.
func textRows(catalog *sig.Catalog) []row {
	long := slices.Concat([]byte(`<call>sendEmail to=a@b subject=x body="`),
		bytes.Repeat([]byte("The quick brown fox jumps over it. "), 30_000), []byte(`"</call>`))
	prose := bytes.Repeat(
		[]byte("The quick brown fox jumps over the lazy dog, as foxes do. "), 20_000)
	html := bytes.Repeat(
		[]byte(`<p class="a">The <b>quick</b> fox, <a href="/x">see</a> it.</p> `), 2_000)
	one := func(name string, text []byte, size int, o *engine.Options) row {
		p, err := engine.NewParser(catalog, o, 0)
		check(err)
		return row{name, len(text) / 1024, func() {
			p.Reset()
			for b := text; len(b) > 0; {
				k := min(size, len(b))
				p.Feed(b[:k])
				b = b[k:]
			}
			p.Close()
		}}
	}
	server := &engine.Options{Repair: true, Reasoning: 1}
	return []row{
		one("1 MB string, 64-byte chunks, per KB", long, 64, nil),
		one("1 MB string, 4 KB chunks, per KB", long, 4096, nil),
		one("prose, 4 KB chunks, per KB", prose, 4096, nil),
		one("prose, 4 KB chunks, server, per KB", prose, 4096, server),
		one("HTML, 4-byte chunks, per KB", html, 4, nil),
		one("HTML, 4-byte chunks, server, per KB", html, 4, server),
	}
}
