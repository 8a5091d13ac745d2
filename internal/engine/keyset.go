package engine

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/callwire/callwire/sig"
)

// keyset is a set of the keys of objects, to find a repeated key in constant time. It is a
// stack: the keys of an object are dropped when the object ends. A few keys are compared one
// by one. Many are also in hash chains, newest first, so that dropping a key removes the head
// of its chain.
type keyset struct {
	keys   []keyEntry
	heads  []int32 // by hash: index of the newest key plus 1; the length is a power of two
	hashed int     // keys[:hashed] are in chains
	steps  int     // comparisons made
}

// keyEntry is a key: a span of JSON text in which every key has only one spelling.
type keyEntry struct {
	start, end int
	owner      int32 // the object that it belongs to
	group      int32 // the group that it is the key of, or none
	next       int32 // index of the next key in its chain, plus 1
	hash       uint32
}

// few is the largest number of keys that are compared one by one.
const few = 12

var seed = maphash.MakeSeed()

func hashKey(owner int32, key []byte) uint32 {
	h := maphash.Bytes(seed, key) + uint64(uint32(owner))*0x9e3779b97f4a7c15
	return uint32(h>>32) ^ uint32(h)
}

// find returns the entry of a key in the object owner, or nil. Keys of that object have an
// index of at least from. The entry is valid until the next add.
func (s *keyset) find(text []byte, owner int32, key []byte, from int) *keyEntry {
	if len(s.keys) <= few {
		for i := from; i < len(s.keys); i++ {
			if e := &s.keys[i]; e.owner == owner && bytes.Equal(text[e.start:e.end], key) {
				return e
			}
		}
		s.steps += len(s.keys) - from
		return nil
	}
	s.chain(text)
	h := hashKey(owner, key)
	for i := s.heads[h&uint32(len(s.heads)-1)]; i != 0; {
		s.steps++
		e := &s.keys[i-1]
		if e.hash == h && e.owner == owner && bytes.Equal(text[e.start:e.end], key) {
			return e
		}
		i = e.next
	}
	return nil
}

// add adds the key text[start:end], which must be new.
func (s *keyset) add(start, end int, owner, group int32) {
	s.keys = append(double(s.keys), keyEntry{start: start, end: end, owner: owner, group: group})
}

// double returns list with room for one more element. It doubles a large list, to which append
// would add only a quarter, because growing so often takes more memory in all.
func double[T any](list []T) []T {
	if n := len(list); n == cap(list) {
		return slices.Grow(list, max(n, 1))
	}
	return list
}

// chain puts all keys into chains.
func (s *keyset) chain(text []byte) {
	if len(s.keys) > len(s.heads) {
		n := max(64, 2*len(s.heads))
		for n < len(s.keys) {
			n *= 2
		}
		s.heads, s.hashed = make([]int32, n), 0
	}
	for ; s.hashed < len(s.keys); s.hashed++ {
		e := &s.keys[s.hashed]
		e.hash = hashKey(e.owner, text[e.start:e.end])
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

// members are the members of an object, in which no key is repeated.
type members struct {
	typ     *sig.Type
	present uint64 // the declared fields in it, by index; the keyset has those from 64 on
	owner   int32  // what the keyset calls it: negative unless it is a group
	from    int    // its keys in the keyset have at least this index
}

// keyOf returns the key of a declared field as JSON, or nil if the field is nil.
func keyOf(f *sig.Field) []byte {
	if f == nil {
		return nil
	}
	return f.JSONKey[:len(f.JSONKey)-1]
}

// find reports whether m contains a key, and which group the key leads to, or none. The field is
// nil if the schema does not declare it.
func (d *draft) find(m *members, field *sig.Field, key []byte) (group int32, seen bool) {
	small := field != nil && field.Index < 64
	if small && m.present>>field.Index&1 == 0 {
		return none, false
	}
	if e := d.keys.find(d.out, m.owner, key, m.from); e != nil {
		return e.group, true
	}
	return none, small
}

// add records that m contains the key out[start:end], which leads to a group or to none.
func (d *draft) add(m *members, field *sig.Field, start, end int, group int32) {
	if field != nil && field.Index < 64 {
		m.present |= 1 << field.Index
		if group == none {
			return
		}
	}
	d.keys.add(start, end, m.owner, group)
}
