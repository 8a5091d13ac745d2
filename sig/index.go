package sig

import "encoding/binary"

// index finds a tool by its name: open addressing, at most a quarter full, with a
// hash of the name's length and its first and last eight bytes. Real names differ
// there; if a tool would land too far from its slot, there is no index and the map
// is used.
type index struct {
	slots []slot // the length is a power of two
}

type slot struct {
	key  key
	tool *Tool
}

// key is what is hashed of a name. It determines a name of up to 16 bytes.
type key struct {
	first, last uint64 // eight bytes each
	length      int
}

// farthest bounds the distance of a tool from its slot.
const farthest = 8

// newIndex returns the index of tools, or one without slots if it would be slow.
func newIndex(tools []*Tool) index {
	n := 8
	for n < 4*len(tools) {
		n *= 2
	}
	x := index{slots: make([]slot, n)}
	for _, t := range tools {
		k := keyOf([]byte(t.Name))
		i, far := k.hash(), 0
		for x.slots[i&uint32(n-1)].tool != nil {
			if i, far = i+1, far+1; far == farthest {
				return index{}
			}
		}
		x.slots[i&uint32(n-1)] = slot{k, t}
	}
	return x
}

// find returns the tool with that name, or nil.
func (x *index) find(name []byte) *Tool {
	mask := uint32(len(x.slots) - 1)
	k := keyOf(name)
	for i := k.hash(); ; i++ {
		s := &x.slots[i&mask]
		if s.tool == nil {
			return nil
		}
		if s.key == k && (len(name) <= 16 || s.tool.Name == string(name)) {
			return s.tool
		}
	}
}

func keyOf(name []byte) key {
	k := key{length: len(name)}
	switch n := len(name); {
	case n >= 8:
		k.first, k.last = binary.LittleEndian.Uint64(name), binary.LittleEndian.Uint64(name[n-8:])
	case n >= 4:
		k.first, k.last = uint64(binary.LittleEndian.Uint32(name)), uint64(binary.LittleEndian.Uint32(name[n-4:]))
	default:
		for _, c := range name {
			k.first = k.first<<8 | uint64(c)
		}
	}
	return k
}

func (k *key) hash() uint32 {
	const k1, k2 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	h := (k.first^uint64(k.length))*k1 ^ k.last*k2
	return uint32(h>>32) ^ uint32(h)
}
