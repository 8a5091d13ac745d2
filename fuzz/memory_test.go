package fuzz

import (
	"flag"
	"fmt"
	"runtime"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/stream"
)

var flood = flag.Int("flood", 6, "MiB of input in the test of memory")

// What a decoder may hold: so many times the limit on the bytes of a call, so much
// for each key of its paths and for each of its issues, and a constant beside. A
// byte of a call is held in the lexer's window and in the one before it, in the
// arguments that are being built and in the list of what they are made of; buffers
// grow by doubling.
const (
	memoryFactor   = 16
	memoryConstant = 256 << 10
	memoryOfKey    = 256
	memoryOfIssues = 1000 * (1000 + 100) // as many as there may be, with paths as long as they may be
)

// mostMemory returns what a decoder with these limits may hold, in bytes.
func mostMemory(l lexer.Limits) int {
	l = l.OrDefault()
	keys := min(l.Bytes/2, l.Arguments*(l.Depth+1))
	return memoryFactor*l.Bytes + memoryOfKey*keys + memoryOfIssues + memoryConstant
}

// TestBoundedMemory: property 8. Whatever the input, a decoder holds no more than
// its limits allow. The limit on the bytes of a call is 64 KiB here, or 4, and the
// input much longer, in one message, in chunks of 4 KiB.
func TestBoundedMemory(t *testing.T) {
	for _, limit := range []int{64 << 10, 4 << 10} {
		limits := lexer.Limits{Bytes: limit}
		for _, a := range Adversaries {
			t.Run(fmt.Sprintf("%s/%d", a.Name, limit), func(t *testing.T) {
				block := []byte(a.Text(1 << 20))
				s := a.Setup
				if s.Limits = limits; s.Catalog == nil {
					s.Catalog = types
				}
				d := stream.NewDecoder(s.Catalog, s.stream())
				before := heap()
				most, fed := 0, 0
				for range max(3, *flood*limit>>16) { // more than the smaller limit allows to hold
					for _, c := range Sized(block, 4096) {
						d.Feed(c)
						// While the first call is open, eight times: each look is a
						// garbage collection of all catalogs.
						if fed += len(c); fed <= 2*limit && fed%max(4096, limit/4) == 0 {
							most = max(most, heap()-before)
						}
					}
					most = max(most, heap()-before)
				}
				runtime.KeepAlive(d)
				runtime.KeepAlive(block)
				t.Logf("%d KiB, %.1f times the limit", most>>10, float64(most)/float64(limit))
				if most > mostMemory(limits) {
					t.Errorf("%d bytes are held after %d bytes of input under a limit of %d, %d are allowed", most, fed, limit, mostMemory(limits))
				}
			})
		}
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
