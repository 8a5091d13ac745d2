package memory

// Report is what has been weighed. Its JSON is stable: members keep their names,
// and new ones may join them.
type Report struct {
	Decoders    []Weight     `json:"decoders"`
	Concurrent  Concurrent   `json:"concurrent"`
	Allocations []Allocation `json:"allocations"`
}

// Weight is what one decoder holds in some state.
type Weight struct {
	State string `json:"state"`
	Bytes int    `json:"bytes"`
}

// Concurrent is what many decoders take that read messages at the same time, a
// chunk each in turn.
type Concurrent struct {
	Decoders  int `json:"decoders"`
	Chunk     int `json:"chunk"`     // bytes
	Message   int `json:"message"`   // bytes; its calls are the published benchmark
	Inside    int `json:"inside"`    // bytes that all of them hold together when all are inside a call
	Peak      int `json:"peak"`      // the most bytes on the heap at any time, garbage included
	Allocated int `json:"allocated"` // bytes that were allocated in all, decoders included
}

// Allocation is how often reading allocates on the heap.
type Allocation struct {
	What  string  `json:"what"`
	Chunk int     `json:"chunk"` // bytes; 0 where each call is one chunk
	Call  float64 `json:"call"`  // allocations for each call
	Bytes float64 `json:"bytes"` // allocated for each call
}
