package rawjson

import (
	"sync"

	"github.com/callwire/callwire/internal/lexeme"
)

// maxDepth is how deep arrays and objects may nest, as in encoding/json.
const maxDepth = 10_000

// scanners are the Scanners that are not in use. Their memory outlives a text.
var scanners = sync.Pool{New: func() any {
	return &lexeme.Scanner{Depth: maxDepth, Unpaired: true, AnyBytes: true}
}}

// Valid reports whether data is one JSON value. It accepts what [json.Valid] accepts, in a fraction
// of the time.
func Valid(data []byte) bool {
	s := scanners.Get().(*lexeme.Scanner)
	defer scanners.Put(s)
	s.Reset(data)
	for s.Next().Kind != 0 {
	}
	fault, _ := s.Fault()
	s.Reset(nil)
	return fault == lexeme.NoFault
}
