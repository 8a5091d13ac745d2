package fuzz

import (
	"flag"
	"runtime"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/stream"
)

var flood = flag.Int("flood", 6, "MiB of input in the test of memory")

// What a decoder may hold: so many times the limit on the bytes of a call, and a
// constant beside. A byte of a call is held in the lexer's window and in the one
// before it, in the arguments that are being built and in the list of what they
// are made of; buffers grow by doubling.
const (
	memoryFactor   = 16
	memoryConstant = 256 << 10
)

// TestBoundedMemory: property 8. Whatever the input, a decoder holds no more than
// a constant times the limit on the bytes of a call, and a constant. The limit is
// 64 KiB here and the input much longer, in one message, in chunks of 4 KiB.
func TestBoundedMemory(t *testing.T) {
	const limit = 64 << 10
	for _, a := range Adversaries {
		t.Run(a.Name, func(t *testing.T) {
			block := []byte(a.Text(1 << 20))
			d := stream.NewDecoder(types, stream.Options{Limits: lexer.Limits{Bytes: limit}})
			before := heap()
			most := 0
			for range *flood {
				for _, c := range Sized(block, 4096) {
					d.Feed(c)
				}
				most = max(most, heap()-before)
			}
			runtime.KeepAlive(d)
			runtime.KeepAlive(block)
			t.Logf("%d KiB, %.1f times the limit", most>>10, float64(most)/limit)
			if most > memoryFactor*limit+memoryConstant {
				t.Errorf("%d bytes are held after %d MiB of input under a limit of %d", most, *flood, limit)
			}
		})
	}
}

// TestSteadyMemory: property 8. A decoder that is used for one message after
// another stops growing.
func TestSteadyMemory(t *testing.T) {
	message := []byte(`Let me see. <call>t a=1 c=[1,2] d.e="` + attack + `"</call><call>t(x)</call> done`)
	d := stream.NewDecoder(types, stream.Options{})
	read := func() {
		for _, c := range Sized(message, 5) {
			d.Feed(c)
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

// heap returns how many bytes are reachable.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
