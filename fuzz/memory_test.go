package fuzz

import (
	"runtime"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// What a decoder may hold: a multiple of the limit on the bytes of a call plus a constant. A byte
// of a call is in the window, in the arguments that are being built and in the list of their parts;
// buffers grow by doubling. A call with many keys, and the issues of one chunk, take more.
const (
	memoryFactor   = 16
	memoryConstant = 320 << 10
	memoryOfKeys   = 512 << 10
	memoryOfIssues = 5 << 20
	memoryOfFaults = 256 << 10 // a chunk of malformed calls
)

// TestBoundedMemory: for any input, a decoder holds no more than its limits allow. The input, one
// message in chunks of 4 KiB, is larger than what may be held, so that a leak shows.
func TestBoundedMemory(t *testing.T) {
	const limit = 4 << 10
	const base = memoryFactor*limit + memoryConstant
	for f := range families(t) {
		t.Run(f.name, func(t *testing.T) {
			allowed := base
			switch {
			case strings.Contains(f.name, "missing"), strings.Contains(f.name, "issues"):
				allowed += memoryOfIssues
			case strings.Contains(f.name, "paths"):
				allowed += memoryOfKeys
			case strings.Contains(f.name, "wrong ends"),
				f.name == "morph-xml: lines", f.name == "morph-xml: openers":
				allowed += memoryOfFaults
			}
			block := Sized([]byte(f.text(4*limit)), 4096)
			s := f.setup
			s.Limits = parse.Limits{Bytes: limit}
			decoder(t, s).Write(block[0]) // the catalog then has what it makes once
			d := decoder(t, s)
			before, most, fed := heap(), 0, 0
			for next := 0; fed < 2*base; {
				for _, c := range block {
					d.Write(c)
					if fed += len(c); fed >= next { // each look is a garbage collection
						most = max(most, heap()-before)
						next += base / 2
					}
				}
			}
			most = max(most, heap()-before)
			runtime.KeepAlive(d)
			runtime.KeepAlive(block)
			if most > allowed {
				t.Errorf("%d bytes are held after %d, %d are allowed", most, fed, allowed)
			}
		})
	}
}

// TestSteadyMemory: a decoder that reads message after message stops growing.
func TestSteadyMemory(t *testing.T) {
	message := []byte(`Let me see. <call>t a=1 c=[1,2] d.e="` + attack + `"</call><call>t(x)</call> done`)
	d := decoder(t, Setup{Catalog: types})
	read := func() {
		for _, c := range Sized(message, 5) {
			d.Write(c)
		}
		d.Close()
		d.Reset()
	}
	read()
	before := heap()
	for range 2000 {
		read()
	}
	if grown := heap() - before; grown > 16<<10 {
		t.Errorf("%d bytes more after 2000 messages", grown)
	}
	runtime.KeepAlive(d)
}

// TestCopying: any long text allocates a bounded number of bytes per byte, freed or not: steps do
// not include bytes that are copied. Values under an enum are kept to be compared, calls of a few
// bytes that are malformed bring an error each, and short blocks of YAML become nodes of the library.
func TestCopying(t *testing.T) {
	const n = 1 << 16
	for f := range families(t) {
		most := 128
		switch f.name {
		case "wire: enum of deep arrays":
			most = 192
		case "morph-xml: wrong ends":
			most = 384
		case "morph-xml: lines", "morph-xml: openers":
			most = 896
		case "yaml-xml: calls":
			most = 640
		}
		once, more := allocated(t, f.setup, f.text(n), 61), allocated(t, f.setup, f.text(2*n), 61)
		if more-once > most*n {
			t.Errorf("%s: %d bytes are allocated, for twice the text %d", f.name, once, more)
		}
	}
}

// allocated returns how many bytes reading a text in chunks of one size allocates.
func allocated(t *testing.T, s Setup, text string, size int) int {
	var before, after runtime.MemStats
	d := decoder(t, s)
	chunks := Sized([]byte(text), size)
	runtime.ReadMemStats(&before)
	for _, c := range chunks {
		d.Write(c)
	}
	d.Close()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// decoder returns a decoder whose events are not kept.
func decoder(t *testing.T, s Setup) *stream.Decoder {
	t.Helper()
	d, err := stream.NewDecoder(s.Catalog, func(stream.Event) error { return nil }, &s.Options)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// heap returns how many bytes are reachable.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
