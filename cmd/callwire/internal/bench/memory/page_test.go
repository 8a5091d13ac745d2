package memory_test

import (
	"os"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/memory"
)

func ExampleReport_Page() {
	report := memory.Report{
		Decoders:    []memory.Weight{{State: "new", Bytes: 240}, {State: "inside a short call", Bytes: 2200}},
		Concurrent:  memory.Concurrent{Decoders: 10, Chunk: 16, Message: 5464, Inside: 22_000, Peak: 30_000, Allocated: 11 << 20},
		Allocations: []memory.Allocation{{What: "parse.Parser", Chunk: 0}, {What: "stream.Decoder", Chunk: 16, Call: 0.25, Bytes: 12}},
	}
	report.Page().WriteText(os.Stdout, 80)
	// Output:
	// Memory
	// ------
	//
	// one stream.Decoder   bytes
	// new                    240
	// inside a short call   2200
	//
	// 10 decoders at once, each reading a message of 5464 bytes with 19 calls in
	// chunks of 16: 21 KB when all are inside a call, 2200 bytes each; at the peak 29
	// KB are on the heap, garbage included, and 11 MB were allocated in all.
	//
	// allocations        chunks  for a call  bytes for a call
	// parse.Parser    each call        0.00                 0
	// stream.Decoder         16        0.25                12
}
