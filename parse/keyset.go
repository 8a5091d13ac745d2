package parse

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// keyset remembers the keys of the objects that are open, but for those of which a bit
// says that they were met, so that a repeated one is found in constant time. It is a
// stack: the keys of an object are dropped when it ends. Few keys are compared one by
// one; from many on, each is also in a hash chain, newest first, so that dropping is
// unlinking heads.
type keyset struct {
	keys   []keyEntry
	heads  []int32 // by hash: index of the newest key, +1; length a power of two
	hashed int     // keys[:hashed] are in chains
	steps  int     // comparisons made
}

// keyEntry is one key: a span of the builder's output, where every key has one
// spelling only.
type keyEntry struct {
	start, end int
	owner      int32 // the object it belongs to
	node       int32 // the node of the argument tree, or -1
	next       int32 // the next in its chain, +1
	hash       uint32
}

// few is the number of keys up to which they are compared one by one.
const few = 12

var seed = maphash.MakeSeed()

func hashKey(owner int32, key []byte) uint32 {
	h := maphash.Bytes(seed, key) + uint64(uint32(owner))*0x9e3779b97f4a7c15
	return uint32(h>>32) ^ uint32(h)
}

// find returns the entry of key in the object owner, or nil. No key of owner
// is below index from. The entry holds until the next add.
func (s *keyset) find(out []byte, owner int32, key []byte, from int) *keyEntry {
	if len(s.keys) <= few {
		for i := from; i < len(s.keys); i++ {
			if e := &s.keys[i]; e.owner == owner && bytes.Equal(out[e.start:e.end], key) {
				return e
			}
		}
		s.steps += len(s.keys) - from
		return nil
	}
	s.chain(out)
	h := hashKey(owner, key)
	for i := s.heads[h&uint32(len(s.heads)-1)]; i != 0; {
		s.steps++
		e := &s.keys[i-1]
		if e.hash == h && e.owner == owner && bytes.Equal(out[e.start:e.end], key) {
			return e
		}
		i = e.next
	}
	return nil
}

// add adds a key that find has not found.
func (s *keyset) add(start, end int, owner, node int32) {
	s.keys = append(double(s.keys), keyEntry{start: start, end: end, owner: owner, node: node})
}

// double returns list with room for one more. It doubles where append would add a
// quarter, which takes two and a half times the memory in all.
func double[T any](list []T) []T {
	if n := len(list); n == cap(list) {
		return slices.Grow(list, max(n, 1))
	}
	return list
}

// chain puts all keys into chains.
func (s *keyset) chain(out []byte) {
	if len(s.keys) > len(s.heads) {
		n := max(64, 2*len(s.heads))
		for n < len(s.keys) {
			n *= 2
		}
		s.heads, s.hashed = make([]int32, n), 0
	}
	for ; s.hashed < len(s.keys); s.hashed++ {
		e := &s.keys[s.hashed]
		e.hash = hashKey(e.owner, out[e.start:e.end])
		head := &s.heads[e.hash&uint32(len(s.heads)-1)]
		e.next = *head
		*head = int32(s.hashed + 1)
		s.steps++
	}
}

// truncate drops all keys from index n on.
func (s *keyset) truncate(n int) {
	for s.hashed > n {
		s.hashed--
		e := &s.keys[s.hashed]
		s.heads[e.hash&uint32(len(s.heads)-1)] = e.next
	}
	s.keys = s.keys[:n]
}
