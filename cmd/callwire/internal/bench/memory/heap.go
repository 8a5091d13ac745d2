package memory

import (
	"runtime"
	"runtime/metrics"
)

// inUse returns how many bytes of the heap are reachable.
func inUse() int {
	runtime.GC()
	runtime.GC() // what a sync.Pool holds outlives one collection
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// onHeap returns how many bytes are on the heap, garbage included. It stops
// nobody.
func onHeap() int {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int(s[0].Value.Uint64())
}

// allocated returns how many allocations, and bytes in them, do makes.
func allocated(do func()) (n, bytes int) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs), int(after.TotalAlloc - before.TotalAlloc)
}
