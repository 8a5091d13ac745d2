package parse

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A keyset is a stack of keys by owner: what a map would say of them.
func TestKeysetByAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var s keyset
		var out []byte
		type key struct {
			owner int32
			text  string
		}
		var stack []key
		have := map[key]int{}
		for range 300 {
			if r.IntN(20) == 0 {
				n := r.IntN(len(stack) + 1)
				for _, k := range stack[n:] {
					delete(have, k)
				}
				stack = stack[:n]
				s.truncate(n)
				continue
			}
			k := key{int32(r.IntN(3)), fmt.Sprintf("k%d", r.IntN(80))}
			e := s.find(out, k.owner, []byte(k.text), 0)
			node, known := have[k]
			if (e != nil) != known || e != nil && int(e.node) != node {
				t.Fatalf("%v: %v, want %v", k, e, known)
			}
			if !known {
				start := len(out)
				out = append(out, k.text...)
				s.add(start, len(out), k.owner, int32(len(stack)))
				have[k] = len(stack)
				stack = append(stack, k)
			}
		}
	}
}

// Twice the keys are twice the comparisons.
func TestKeysetIsLinear(t *testing.T) {
	steps := func(n int) int {
		var s keyset
		var out []byte
		for i := range n {
			start := len(out)
			out = fmt.Appendf(out, "key%d", i)
			s.find(out, 0, out[start:], 0)
			s.add(start, len(out), 0, -1)
		}
		return s.steps
	}
	if once, twice := steps(5000), steps(10000); twice > 3*once || once < 5000 {
		t.Errorf("%d steps for 5000 keys, %d for 10000", once, twice)
	}
}

// Two objects may have a key of one name, even where its hashes are equal.
func TestKeysOfEqualHash(t *testing.T) {
	key := []byte("key")
	owners := map[uint32]int32{}
	for owner := int32(1); ; owner++ {
		h := hashKey(owner, key)
		other, ok := owners[h]
		if !ok {
			owners[h] = owner
			continue
		}
		var s keyset
		out := []byte("key")
		for i := range int32(few + 1) {
			out = fmt.Append(out, i)
			s.add(len(out)-1, len(out), owner, i)
		}
		s.add(0, len(key), other, 77)
		if e := s.find(out, owner, key, 0); e != nil {
			t.Errorf("the key of %d was found for %d", other, owner)
		}
		if e := s.find(out, other, key, 0); e == nil || e.node != 77 {
			t.Errorf("the key of %d was not found: %v", other, e)
		}
		return
	}
}
