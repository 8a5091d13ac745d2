package sig

import "encoding/binary"

// index finds a tool by its name: open addressing at most half full, by a hash
// of the name's length and its first and last eight bytes. Names are made to
// tell tools apart, so that is enough; where it is not, and one place would have
// to be looked for at many others, there is no index and the map serves.
type index struct {
	slots []slot // length a power of two
}

type slot struct {
	hash uint32
	tool *Tool
}

// farthest is how many slots a tool may be from its place.
const farthest = 8

// newIndex returns the index of tools, one without slots where it would be slow.
func newIndex(tools []*Tool) index {
	n := 8
	for n < 2*len(tools) {
		n *= 2
	}
	x := index{slots: make([]slot, n)}
	for _, t := range tools {
		h := hashName([]byte(t.Name))
		i, far := h, 0
		for x.slots[i&uint32(n-1)].tool != nil {
			if i, far = i+1, far+1; far == farthest {
				return index{}
			}
		}
		x.slots[i&uint32(n-1)] = slot{h, t}
	}
	return x
}

// find returns the tool of that name, or nil.
func (x *index) find(name []byte) *Tool {
	mask := uint32(len(x.slots) - 1)
	h := hashName(name)
	for i := h; ; i++ {
		s := &x.slots[i&mask]
		if s.tool == nil {
			return nil
		}
		if s.hash == h && s.tool.Name == string(name) {
			return s.tool
		}
	}
}

func hashName(name []byte) uint32 {
	const k1, k2 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	var a, b uint64
	if n := len(name); n >= 8 {
		a, b = binary.LittleEndian.Uint64(name), binary.LittleEndian.Uint64(name[n-8:])
	} else {
		for _, c := range name {
			a = a<<8 | uint64(c)
		}
	}
	h := (a^uint64(len(name)))*k1 ^ b*k2
	return uint32(h>>32) ^ uint32(h)
}
