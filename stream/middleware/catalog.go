package middleware

import (
	"container/list"
	"crypto/sha256"
	"sync"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// toolset is what the tools of a request are compiled to.
type toolset struct {
	catalog *sig.Catalog
	manual  string
	loader  string          // the tool that was added because some are lazy, or ""
	strict  map[string]bool // functions whose arguments must fit
	problem string          // why these tools cannot be called in text; "" if they can

	grammars grammars // if the upstream takes them
}

// newToolset compiles tools, a JSON array of count elements.
func newToolset(tools []byte, count int, opts manual.Options) *toolset {
	catalog, err := sig.Compile(tools)
	if err != nil {
		return &toolset{problem: err.Error()}
	}
	if catalog.Len() != count {
		return &toolset{problem: "two tools of one name, or one without a name"}
	}
	plans, err := catalog.Plans(opts.Plan)
	if err != nil {
		return &toolset{problem: err.Error()}
	}
	for _, p := range plans {
		if !p.Callable() {
			return &toolset{problem: "a tool whose name no call can have"}
		}
	}
	set := &toolset{strict: strictOf(tools)}
	if set.catalog = opts.Lazy.Extend(catalog); set.catalog != catalog {
		set.loader = set.catalog.Tools()[catalog.Len()].Name
	}
	set.manual = manual.Render(set.catalog, opts)
	return set
}

// strictOf returns the names of the functions whose arguments must fit.
func strictOf(tools []byte) map[string]bool {
	strict := make(map[string]bool)
	for _, raw := range readArray(nil, tools) {
		tool := readObject(nil, raw)
		if inner := tool.object("function"); inner != nil {
			tool = inner
		}
		if string(tool.get("strict")) == "true" {
			strict[tool.text("name")] = true
		}
	}
	return strict
}

// cacheSize is how many sets of tools are kept. An application has a few.
const cacheSize = 64

// cacheLimit is how many bytes of tools are kept compiled.
const cacheLimit = 8 << 20

// toolsetCache keeps compiled tools by their content, since the same ones come with
// every request. It keeps the most recently used. The zero value is ready.
type toolsetCache struct {
	mu    sync.Mutex
	sets  map[[32]byte]*list.Element // of *cached
	order list.List                  // most recently used first
	bytes int                        // of the tools of all
}

// cached is an entry of the cache.
type cached struct {
	key  [32]byte
	size int
	set  *toolset
}

// get returns the toolset for tools, from the cache or from compile.
func (c *toolsetCache) get(tools []byte, compile func() *toolset) *toolset {
	key := sha256.Sum256(tools)
	if set := c.lookup(key); set != nil {
		return set
	}
	set := compile() // two requests may both do this
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sets == nil {
		c.sets = make(map[[32]byte]*list.Element)
	}
	if e := c.sets[key]; e != nil {
		return e.Value.(*cached).set
	}
	c.sets[key] = c.order.PushFront(&cached{key, len(tools), set})
	c.bytes += len(tools)
	for c.order.Len() > 1 && (c.order.Len() > cacheSize || c.bytes > cacheLimit) {
		last := c.order.Remove(c.order.Back()).(*cached)
		c.bytes -= last.size
		delete(c.sets, last.key)
	}
	return set
}

func (c *toolsetCache) lookup(key [32]byte) *toolset {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.sets[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).set
}
