package fuzz

import (
	"flag"
	"fmt"
	"runtime"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/stream"
)

var flood = flag.Int("flood", 2, "how many times what a decoder may hold it is given in the test of memory")

// What a decoder may hold: so many times the limit on the bytes of a call, and a
// constant beside. A byte of a call is held in the lexer's window and in the one
// before it, in the arguments that are being built and in the list of what they are
// made of; buffers grow by doubling. A call of many keys or issues has so much more
// for each of them.
const (
	memoryFactor   = 16
	memoryConstant = 320 << 10
	memoryOfKey    = 256
	memoryOfIssues = 1000 * (1000 + 100) // as many as there may be, with paths as long as they may be
)

// The families whose calls have the most keys, there or missing, and issues.
var (
	ofKeys = map[string]bool{
		"distinct deep paths": true,
		"missing arguments":   true, "missing arguments of a JSON body": true, "missing arguments behind deep paths": true,
	}
	ofIssues = map[string]bool{
		"issues with long paths": true,
		"missing arguments":      true, "missing arguments of a JSON body": true, "missing arguments behind deep paths": true,
	}
)

// mostMemory returns what a decoder with these limits may hold of a, in bytes.
func mostMemory(a Adversary, l lexer.Limits) int {
	l = l.OrDefault()
	most := memoryFactor*l.Bytes + memoryConstant
	if ofKeys[a.Name] {
		most += memoryOfKey * min(l.Bytes/2, l.Arguments*(l.Depth+1))
	}
	if ofIssues[a.Name] {
		most += memoryOfIssues
	}
	return most
}

// TestBoundedMemory: property 8. Whatever the input, a decoder holds no more than
// its limits allow. The limit on the bytes of a call is 4 KiB here, or 64, and the
// input, one message in chunks of 4 KiB, more than may be held: so a leak is seen.
func TestBoundedMemory(t *testing.T) {
	limits := []int{4 << 10}
	if *long {
		limits = append(limits, 64<<10)
	}
	for _, limit := range limits {
		limits := lexer.Limits{Bytes: limit}
		for _, a := range someAdversaries() {
			t.Run(fmt.Sprintf("%s/%d", a.Name, limit), func(t *testing.T) {
				block := Sized([]byte(a.Text(4*limit)), 4096)
				s := a.Setup
				if s.Limits = limits; s.Catalog == nil {
					s.Catalog = types
				}
				d := stream.NewDecoder(s.Catalog, s.stream())
				before, allowed := heap(), mostMemory(a, limits)
				most, fed := 0, 0
				for next := 0; fed < *flood*allowed; {
					for _, c := range block {
						d.Feed(c)
						// Each look is a garbage collection of all catalogs: there are
						// four, and eight more where the first call is open.
						if fed += len(c); fed >= next {
							most = max(most, heap()-before)
							if next += *flood * allowed / 3; *long && fed <= 2*limit {
								next = fed + limit/4
							}
						}
					}
				}
				most = max(most, heap()-before)
				runtime.KeepAlive(d)
				runtime.KeepAlive(block)
				t.Logf("%d KiB, %.1f times the limit", most>>10, float64(most)/float64(limit))
				if most > allowed {
					t.Errorf("%d bytes are held after %d bytes of input under a limit of %d, %d are allowed", most, fed, limit, allowed)
				}
			})
		}
	}
}

// TestFamiliesOfMemory: those that may hold more are families.
func TestFamiliesOfMemory(t *testing.T) {
	exist := map[string]bool{}
	for _, a := range Adversaries {
		exist[a.Name] = true
	}
	for _, some := range []map[string]bool{ofKeys, ofIssues} {
		for name := range some {
			if !exist[name] {
				t.Errorf("there is no family %q", name)
			}
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
