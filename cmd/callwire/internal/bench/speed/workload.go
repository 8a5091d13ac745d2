package speed

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// workload is something to read.
type workload struct {
	name    string
	chunks  []int // sizes of the chunks it arrives in, in bytes; whole for each piece in one
	catalog *sig.Catalog
	wire    [][]byte // one message, in pieces
	native  [][]byte // the same as native JSON, one block or lines of blocks a piece; nil where there is no call
	calls   int      // in all pieces together

	kind kind // of the argument, where a workload is one long string
	size int  // of that string, in bytes
}

// whole is the size of a chunk that is a piece of a message.
const whole = 0

// chunkSizes are how text arrives: token by token, in network packets, in
// buffers.
var chunkSizes = []int{1, 4, 16, 64, 4096}

// stringSizes are the sizes of long arguments.
var stringSizes = []int{64 << 10, 256 << 10, 1 << 20, 4 << 20}

// limits let the longest argument pass.
var limits = lexer.Limits{Bytes: 16 << 20}

// bytes returns how long the wire text is.
func (w workload) bytes() (n int) {
	for _, m := range w.wire {
		n += len(m)
	}
	return n
}

// workloads returns those whose names are wanted, and makes no others: megabytes
// of text take a while. With quick, strings are short and few.
func workloads(quick bool, wanted func(name string) bool) (some []workload, err error) {
	s, err := bench.Published()
	if err != nil {
		return nil, err
	}
	separate, err := separateCalls(s)
	if err != nil {
		return nil, err
	}
	for _, w := range []workload{separate, transcript(separate), textOnly(prose), textOnly(html)} {
		if wanted(w.name) {
			some = append(some, w)
		}
	}
	sizes := stringSizes
	if quick {
		sizes = stringSizes[:2]
	}
	for _, k := range []kind{plain, prose, code} {
		for _, n := range sizes {
			name := fmt.Sprintf("string-%s-%s", k, bytesOf(n))
			if !wanted(name) {
				continue
			}
			w, err := longString(name, k, n)
			if err != nil {
				return nil, err
			}
			some = append(some, w)
		}
	}
	return some, nil
}

// block is a part of a native message.
type block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text,omitempty"`
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

// nativeCall writes a call as native JSON.
func nativeCall(name string, input []byte) ([]byte, error) {
	return bench.JSON(block{Type: "tool_use", ID: "toolu_01ABCDEFG", Name: name, Input: input})
}

// shuffles is how often each call of the published benchmark is read.
const shuffles = 10

// separateCalls are the calls of the published benchmark in a shuffled order,
// each a chunk of its own.
func separateCalls(s bench.Suite) (workload, error) {
	w := workload{name: "calls", chunks: []int{whole}, catalog: s.Catalog}
	r := rand.New(rand.NewPCG(1, 1))
	for range shuffles {
		for _, i := range r.Perm(len(s.Calls)) {
			c := s.Calls[i]
			wire, err := parse.Format(s.Catalog, c.Name, c.Input)
			if err != nil {
				return workload{}, fmt.Errorf("%s: %w", c.Name, err)
			}
			native, err := nativeCall(c.Name, c.Input)
			if err != nil {
				return workload{}, fmt.Errorf("%s: %w", c.Name, err)
			}
			w.wire, w.native = append(w.wire, []byte(wire)), append(w.native, native)
			w.calls++
		}
	}
	return w, nil
}

// between is how much text stands before each call of a transcript, in bytes.
const between = 200

// transcript is one message with text before each of the calls.
func transcript(calls workload) workload {
	w := workload{name: "transcript", chunks: chunkSizes, catalog: calls.catalog, calls: calls.calls}
	before := text(prose, between*len(calls.wire))
	var wire, native []byte
	for i, call := range calls.wire {
		said := before[i*between:][:between]
		wire = append(append(wire, said...), call...)
		spoken, err := bench.JSON(block{Type: "text", Text: said})
		if err != nil {
			panic(err) // a block can be encoded
		}
		native = append(append(native, spoken...), '\n')
		native = append(append(native, calls.native[i]...), '\n')
	}
	w.wire, w.native = [][]byte{wire}, [][]byte{native}
	return w
}

// textOnly is a message without a call, of 256 KB.
func textOnly(k kind) workload {
	return workload{name: string(k), chunks: chunkSizes, wire: [][]byte{[]byte(text(k, 256<<10))}}
}

// longString is a message that is one call with one argument, of n bytes.
func longString(name string, k kind, n int) (workload, error) {
	value, err := bench.JSON(map[string]string{"text": text(k, n)})
	if err != nil {
		return workload{}, err
	}
	wire, err := (parse.FormatOptions{Limits: limits}).Format(nil, "save", value)
	if err != nil {
		return workload{}, err
	}
	native, err := nativeCall("save", value)
	if err != nil {
		return workload{}, err
	}
	return workload{
		name: name, chunks: chunkSizes, kind: k, size: n,
		wire: [][]byte{[]byte(wire)}, native: [][]byte{native}, calls: 1,
	}, nil
}

// bytesOf returns 64K or 1M.
func bytesOf(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%dM", n>>20)
	}
	return fmt.Sprintf("%dK", n>>10)
}
