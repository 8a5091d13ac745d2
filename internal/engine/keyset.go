package engine

import (
	"bytes"

	"github.com/callwire/callwire/sig"
)

// keyset is a set of the keys of objects, to find a repeated key. It is a stack: the keys of an
// object are dropped when the object ends. A few keys are compared one by one; of more there is an
// index.
type keyset struct {
	keys  []keyEntry
	index map[keyID]int // of the first len(index) keys
	steps int           // comparisons made
}

// keyEntry is a key: a span of JSON text in which every key has only one spelling.
type keyEntry struct {
	start, end int
	owner      int32  // the object that it belongs to
	group      int32  // the group that it is the key of, or none
	text       string // if the key is in the index
}

// keyID is what the index knows of a key.
type keyID struct {
	owner int32
	text  string
}

// few is the largest number of keys that are compared one by one.
const few = 12

// find returns the entry of a key in the object owner, or nil. Keys of that object have an
// index of at least from. The entry is valid until the next add.
func (s *keyset) find(text []byte, owner int32, key []byte, from int) *keyEntry {
	if len(s.keys) > few {
		s.steps++
		s.fillIndex(text)
		if i, found := s.index[keyID{owner, string(key)}]; found {
			return &s.keys[i]
		}
		return nil
	}
	s.steps += len(s.keys) - from
	for i := from; i < len(s.keys); i++ {
		if e := &s.keys[i]; e.owner == owner && bytes.Equal(text[e.start:e.end], key) {
			return e
		}
	}
	return nil
}

// add adds the key text[start:end], which must be new.
func (s *keyset) add(start, end int, owner, group int32) {
	s.keys = append(s.keys, keyEntry{start: start, end: end, owner: owner, group: group})
}

// fillIndex adds all keys to the index.
func (s *keyset) fillIndex(text []byte) {
	if s.index == nil {
		s.index = make(map[keyID]int)
	}
	for i := len(s.index); i < len(s.keys); i++ {
		e := &s.keys[i]
		e.text = string(text[e.start:e.end])
		s.index[keyID{e.owner, e.text}] = i
		s.steps++
	}
}

// truncate drops all keys from index n on.
func (s *keyset) truncate(n int) {
	for i := len(s.index) - 1; i >= n; i-- {
		e := &s.keys[i]
		delete(s.index, keyID{e.owner, e.text})
		e.text = ""
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
