package fuzz

import (
	"flag"
	"fmt"
	"runtime"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/stream"
)

var flood = flag.Int("flood", 2, "input in the test of memory, as a multiple of what a decoder may hold")

// What a decoder may hold: a multiple of the limit on the bytes of a call plus a constant.
// A byte of a call is in the lexer's window and the previous one, in the arguments that are
// being built and in the list of their parts; buffers grow by doubling. Each key and issue
// of a call with many takes more.
const (
	memoryFactor   = 16
	memoryConstant = 320 << 10
	memoryOfKey    = 256
	memoryOfIssues = 1000 * (1000 + 700) // as many as allowed, with paths as long as allowed or of many calls
)

// The families whose calls have the most keys, present or missing, and issues.
var (
	ofKeys = map[string]bool{
		"distinct deep paths": true,
		"missing arguments":   true, "missing arguments of a JSON body": true, "missing arguments behind deep paths": true,
	}
	ofIssues = map[string]bool{
		"issues with long paths": true, "missing arguments of an object in many calls": true,
		"missing arguments": true, "missing arguments of a JSON body": true, "missing arguments behind deep paths": true,
	}
)

// mostMemory returns how many bytes a decoder with these limits may hold for a.
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

// TestBoundedMemory: property 8. Whatever the input, a decoder holds no more than its limits
// allow. The limit on the bytes of a call is 4 or 64 KiB here, and the input, one message in
// chunks of 4 KiB, is larger than what may be held, so that a leak shows.
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

// TestFamiliesOfMemory: the names of families that may hold more exist.
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

// TestSteadyMemory: property 8. A decoder that reads message after message stops growing.
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
