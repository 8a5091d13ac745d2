package middleware

import (
	"crypto/sha256"
	"sync"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// A toolset is what the tools of a request are compiled to.
type toolset struct {
	catalog *sig.Catalog
	manual  *manual.Manual
	loader  string // the tool that was added because some are lazy, or ""
	problem string // why these tools cannot be called in text; "" if they can
	err     error  // of the options

	grammars memo[string, constraint]
}

// maxTools is how many bytes of tools are compiled. Compiled tools take a hundred times
// as much memory as their JSON.
const maxTools = 4 << 20

// toolset returns the compiled tools, JSON objects, of a request. The same tools come
// with every request, so they are compiled once.
func (x *exchange) toolset(list [][]byte) *toolset {
	if len(list) == 0 {
		set := &toolset{}
		set.manual, set.err = manual.New(nil, &x.opts.Manual)
		return set
	}
	tools := rawjson.AppendArray(nil, list)
	if len(tools) > maxTools {
		return &toolset{problem: "the tools are over the limit"}
	}
	// Each set counts as at least an eighth of a megabyte, so that 64 are kept.
	size := max(len(tools), 1<<17)
	return x.toolsets.get(sha256.Sum256(tools), size, 8<<20, func() *toolset {
		count := len(list)
		if x.rescues {
			count = -1
		}
		set := newToolset(tools, count, &x.opts.Manual)
		if set.err != nil && set.manual != nil { // the budget cannot be kept
			x.warn(set.err.Error())
			set.err = nil
		}
		return set
	})
}

// newToolset compiles tools, a JSON array of count elements. If count is negative, a name
// may occur more than once.
func newToolset(tools []byte, count int, opts *manual.Options) *toolset {
	catalog, err := sig.Compile(tools)
	if err != nil {
		return &toolset{problem: err.Error()}
	}
	if count >= 0 && len(catalog.Tools()) != count {
		return &toolset{problem: "two tools have the same name, or one has none"}
	}
	for _, t := range catalog.Tools() {
		if _, err := t.Plan(opts.Form); err != nil {
			return &toolset{problem: err.Error()}
		}
		if !t.Callable() {
			return &toolset{problem: "a tool has a name that no call can have"}
		}
	}
	set := &toolset{}
	set.manual, set.err = manual.New(catalog, opts)
	if set.manual != nil {
		set.catalog, set.loader = set.manual.Catalog(), set.manual.Loader()
	}
	return set
}

// A memo remembers results by key. It forgets all of them when their total size would exceed a
// limit, so it needs no order. The zero value is ready, and may be used concurrently.
type memo[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
	size  int
}

// find returns the value for key, if it is known.
func (m *memo[K, V]) find(key K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.known[key]
	return v, ok
}

// get returns the value for key, computing it if it isn't known. Size is what the value
// counts toward the limit.
func (m *memo[K, V]) get(key K, size, limit int, compute func() V) V {
	v, ok := m.find(key)
	if !ok {
		v = compute() // two goroutines may both do this
		m.set(key, v, size, limit)
	}
	return v
}

// set sets the value for key.
func (m *memo[K, V]) set(key K, v V, size, limit int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || m.size+size > limit {
		m.known, m.size = make(map[K]V), 0
	}
	m.known[key] = v
	m.size += size
}
