package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// workload is a message in pieces, and the same calls as native JSON. A piece is a call, or the
// whole message.
type workload struct {
	name    string
	chunks  []int // sizes of chunks, in bytes; 0 means a piece each
	catalog *sig.Catalog
	wire    [][]byte
	native  [][]byte // nil without calls
	calls   int
}

var (
	manySizes = []int{1, 4, 16, 64, 4096}
	twoSizes  = []int{16, 4096}
)

// workloads returns the texts that are read.
func workloads(t testing.TB) []workload {
	suite, err := Published()
	if err != nil {
		t.Fatal(err)
	}
	calls := workload{name: "calls", chunks: []int{0}, catalog: suite.Catalog}
	r := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		for _, i := range r.Perm(len(suite.Calls)) {
			wire, native := callIn(t, suite.Catalog, suite.Calls[i])
			calls.wire, calls.native = append(calls.wire, wire), append(calls.native, native)
			calls.calls++
		}
	}
	all := []workload{calls, transcript(t, calls)}
	for _, kind := range []string{"prose", "html"} {
		all = append(all, workload{name: kind, chunks: twoSizes, wire: [][]byte{[]byte(text(kind, 256<<10))}})
	}
	for _, kind := range []string{"plain", "prose", "code"} {
		input := JSON(map[string]string{"text": text(kind, 1<<20)})
		wire, native := callIn(t, sig.AnyTool, Call{"save", input})
		all = append(all, workload{
			name: "string_" + kind + "_1M", chunks: twoSizes, catalog: sig.AnyTool,
			wire: [][]byte{wire}, native: [][]byte{append(native, '\n')}, calls: 1,
		})
	}
	return all
}

// limits let the longest string pass.
var limits = parse.Limits{Bytes: 4 << 20}

// nativeBlock is a part of a native message.
type nativeBlock struct {
	Type  string          `json:"type"`
	Text  json.RawMessage `json:"text,omitempty"`
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

// callIn returns a call in the wire format and in native JSON.
func callIn(t testing.TB, catalog *sig.Catalog, c Call) (wire, native []byte) {
	text, err := parse.FormatCall(catalog, c.Name, c.Input, &parse.FormatOptions{Limits: limits})
	if err != nil {
		t.Fatal(c.Name, err)
	}
	native = JSON(nativeBlock{Type: "tool_use", ID: "toolu_01ABCDEFG", Name: c.Name, Input: c.Input})
	return []byte(text), native
}

// transcript is one message with 200 bytes of text before each call.
func transcript(t testing.TB, calls workload) workload {
	const between = 200
	said := text("prose", between*len(calls.wire))
	var wire, native []byte
	for i, call := range calls.wire {
		words := said[i*between:][:between]
		quoted := JSON(words)
		spoken := JSON(nativeBlock{Type: "text", Text: quoted})
		wire = append(append(wire, words...), call...)
		native = append(append(native, spoken...), '\n')
		native = append(append(native, calls.native[i]...), '\n')
	}
	return workload{
		name: "transcript", chunks: manySizes, catalog: calls.catalog,
		wire: [][]byte{wire}, native: [][]byte{native}, calls: calls.calls,
	}
}

// lines write a line of text of each kind.
var lines = map[string]func(b *strings.Builder, word func() string){
	"plain": func(b *strings.Builder, word func() string) {
		b.WriteString(word() + " " + word() + " " + word() + " ")
	},
	"prose": func(b *strings.Builder, word func() string) {
		fmt.Fprintf(b, "The %s of the %s, it's said, was \"%s %s\"; ", word(), word(), word(), word())
		fmt.Fprintf(b, "so we %s the %s before the %s, and not the %s.\n\n", word(), word(), word(), word())
	},
	"html": func(b *strings.Builder, word func() string) {
		fmt.Fprintf(b, "<p class=\"%s\">%s <b>%s</b> %s</p>\n", word(), word(), word(), word())
	},
	"code": func(b *strings.Builder, word func() string) {
		fmt.Fprintf(b, "\tif %s[i] < len(%s) && %s != \"%s\\n\" {\n", word(), word(), word(), word())
		fmt.Fprintf(b, "\t\treturn '%s'\n\t}\n", word()[:1])
	},
}

var words = strings.Fields(`able about account action after answer application between book bring
build call carry case change city clear close company cost country course day decision detail early
end example fact family few field figure find form general give group hand head help hold hour idea
important issue job keep kind know large late lead level life line list long look matter mean name`)

// text returns n bytes of text.
func text(kind string, n int) string {
	r := rand.New(rand.NewPCG(7, uint64(len(kind))))
	var b strings.Builder
	for b.Len() < n {
		lines[kind](&b, func() string { return words[r.IntN(len(words))] })
	}
	return b.String()[:n]
}

// chunked calls f with the pieces in chunks.
func chunked(pieces [][]byte, size int, f func(chunk []byte)) {
	for _, m := range pieces {
		by := size
		if by == 0 {
			by = len(m)
		}
		for len(m) > 0 {
			n := min(by, len(m))
			f(m[:n])
			m = m[n:]
		}
	}
}

// A reader reads a workload once, and returns how many calls it found.
type reader func() int

// readers returns a decoder, and a search for "<" and encoding/json to compare it with. The last
// one is nil without calls.
func (w workload) readers(t testing.TB, size int) (decoder, indexByte, native reader) {
	calls := 0
	d := newDecoder(t, w.catalog, &calls)
	decoder = func() int {
		calls = 0
		d.Reset()
		chunked(w.wire, size, func(chunk []byte) { d.Write(chunk) }) // emit never fails
		d.Close()
		return calls
	}
	indexByte = func() int {
		chunked(w.wire, size, jump)
		return w.calls
	}
	if w.native != nil {
		native = func() int { return readJSON(w.native, size) }
	}
	return decoder, indexByte, native
}

func newDecoder(t testing.TB, catalog *sig.Catalog, calls *int) *stream.Decoder {
	d, err := stream.NewDecoder(catalog, func(e stream.Event) error {
		if e.Type == stream.Call {
			*calls++
		}
		return nil
	}, &stream.Options{Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var jumps int

// jump looks at every "<".
func jump(chunk []byte) {
	for i := bytes.IndexByte(chunk, '<'); i >= 0; i = bytes.IndexByte(chunk, '<') {
		jumps++
		chunk = chunk[i+1:]
	}
}

// readJSON decodes a block in each piece, or blocks that arrive in chunks.
func readJSON(pieces [][]byte, size int) (calls int) {
	var b nativeBlock
	if size == 0 {
		for _, m := range pieces {
			b = nativeBlock{}
			if json.Unmarshal(m, &b) == nil && b.Type == "tool_use" {
				calls++
			}
		}
		return calls
	}
	for _, m := range pieces {
		for d := json.NewDecoder(&dribble{m, size}); ; {
			b = nativeBlock{}
			if d.Decode(&b) != nil {
				break
			}
			if b.Type == "tool_use" {
				calls++
			}
		}
	}
	return calls
}

// dribble is a reader that returns a chunk at a time.
type dribble struct {
	text []byte
	size int
}

func (d *dribble) Read(p []byte) (int, error) {
	if len(d.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p, d.text[:min(len(d.text), d.size)])
	d.text = d.text[n:]
	return n, nil
}

// TestWorkloads: all readers find all calls, at every size of chunks.
func TestWorkloads(t *testing.T) {
	for _, w := range workloads(t) {
		for _, size := range w.chunks {
			decoder, indexByte, native := w.readers(t, size)
			for i, read := range []reader{decoder, indexByte, native} {
				if read != nil && read() != w.calls {
					t.Errorf("%s, chunks of %d: reader %d finds %d calls of %d", w.name, size, i, read(), w.calls)
				}
			}
		}
	}
}

// BenchmarkRead reads the workloads. callwire bench speed makes tables of its output. Times are of
// the processor, so a busy machine doesn't add to them. Those of a decoder are also divided by
// those of encoding/json, and of a search for "<".
func BenchmarkRead(b *testing.B) {
	for _, w := range workloads(b) {
		for _, size := range w.chunks {
			decoder, indexByte, native := w.readers(b, size)
			b.Run(fmt.Sprintf("%s/chunk=%d", w.name, size), func(b *testing.B) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := cpu()
				for b.Loop() {
					decoder()
				}
				time, rounds := float64(cpu()-start), float64(b.N)
				runtime.ReadMemStats(&after)
				bytes := 0.0
				for _, m := range w.wire {
					bytes += float64(len(m))
				}
				b.ReportMetric(1000*bytes*rounds/time, "cpu-MB/s")
				if w.calls > 1 {
					calls := rounds * float64(w.calls)
					b.ReportMetric(time/calls, "cpu-ns/call")
					b.ReportMetric(float64(after.Mallocs-before.Mallocs)/calls, "allocs/call")
				}
				for unit, other := range map[string]reader{"of-indexbyte": indexByte, "of-json": native} {
					if other == nil {
						continue
					}
					start := cpu()
					for range b.N {
						other()
					}
					b.ReportMetric(time/float64(cpu()-start), unit)
				}
			})
		}
	}
}

// state is what decoders are in the middle of when they are measured.
type state struct {
	name     string
	decoders int
	text     string
	ended    bool
}

func states(t testing.TB) []state {
	w := workloads(t)[1]
	body := `<call>sendEmail body="` + text("plain", 1<<20)
	return []state{
		{"new", 2000, "", false},
		{"idle, after a message with 190 calls", 200, string(w.wire[0]), true},
		{"in the text before a first call", 1000, body[30:230], false},
		{"inside a short call", 1000, `<call>getWeather location="New Y`, false},
		{"10,000 at once, each inside a short call", 10_000, `<call>getWeather location="New Y`, false},
		{"inside a string, after 4 KB", 500, body[:4<<10], false},
		{"inside a string, after 64 KB", 100, body[:64<<10], false},
		{"inside a string, after 1 MB", 10, body[:1<<20], false},
	}
}

// BenchmarkMemory reports how many bytes a decoder holds.
func BenchmarkMemory(b *testing.B) {
	suite, err := Published()
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range states(b) {
		b.Run(strings.ReplaceAll(s.name, " ", "_"), func(b *testing.B) {
			total, rounds := 0.0, 0.0
			for b.Loop() {
				decoders, calls := make([]*stream.Decoder, s.decoders), 0
				before := inUse()
				for i := range decoders {
					d := newDecoder(b, suite.Catalog, &calls)
					chunked([][]byte{[]byte(s.text)}, 16, func(chunk []byte) { d.Write(chunk) })
					if s.ended {
						d.Close()
						d.Reset()
					}
					decoders[i] = d
				}
				total += float64(inUse()-before) / float64(s.decoders)
				rounds++
				runtime.KeepAlive(decoders)
			}
			b.ReportMetric(total/rounds, "B/decoder")
		})
	}
}

// inUse returns how many bytes are in use on the heap.
func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
