package sig

import (
	"hash/maphash"
	"math/bits"
)

// table finds tools by name: a hash table with open addressing, at most half
// full. It is faster than a map, mostly because its hash of a name is inlined;
// see BenchmarkLookup.
type table struct {
	seed  maphash.Seed
	slots []slot // a power of two of them
}

type slot struct {
	hash uint64
	tool *Tool // nil: empty
}

func newTable(tools []*Tool) table {
	t := table{seed: maphash.MakeSeed(), slots: make([]slot, 1<<bits.Len(uint(2*len(tools))))}
	for _, tool := range tools {
		h := maphash.String(t.seed, tool.Name)
		i := int(h) & (len(t.slots) - 1)
		for t.slots[i].tool != nil {
			i = (i + 1) & (len(t.slots) - 1)
		}
		t.slots[i] = slot{h, tool}
	}
	return t
}

func (t *table) lookup(name []byte) *Tool {
	if len(t.slots) == 0 {
		return nil
	}
	h := maphash.Bytes(t.seed, name)
	mask := len(t.slots) - 1
	for i := int(h) & mask; t.slots[i].tool != nil; i = (i + 1) & mask {
		if s := &t.slots[i]; s.hash == h && s.tool.Name == string(name) {
			return s.tool
		}
	}
	return nil
}
