package parse

import (
	"fmt"
	"testing"
)

// TestDroppedKeysAreForgotten: what was truncated is found no more, what was not
// is, and neither has a wrong place, with few keys and with keys in hash chains.
func TestDroppedKeysAreForgotten(t *testing.T) {
	for _, n := range []int{1, few - 1, few, few + 1, 63, 64, 65, 200, 1000} {
		var s keyset
		var out []byte
		key := func(i int) []byte { return fmt.Appendf(nil, `"k%d"`, i) }
		add := func(owner int32, i int) {
			start := len(out)
			out = append(out, key(i)...)
			if e := s.find(out, owner, key(i), 0); e != nil {
				t.Fatalf("%d keys: %s is found before it was added, at %d", n, key(i), e.start)
			}
			s.add(start, len(out), owner, int32(i))
		}
		for i := range n {
			add(1, i)
		}
		for round := range 3 { // objects inside, one after the other, with the same keys
			for i := range n {
				add(2, i)
			}
			s.find(out, 2, []byte(`"none"`), n) // all of them are in chains now
			s.truncate(n)
			for i := range n {
				if e := s.find(out, 2, key(i), n); e != nil {
					t.Fatalf("%d keys, round %d: %s is found after it was dropped", n, round, key(i))
				}
				if e := s.find(out, 1, key(i), 0); e == nil || e.node != int32(i) {
					t.Fatalf("%d keys, round %d: %s is lost: %v", n, round, key(i), e)
				}
			}
		}
		s.truncate(0)
		if e := s.find(out, 1, key(0), 0); e != nil {
			t.Errorf("%d keys: %s is found in the empty set", n, key(0))
		}
	}
}

// Keys of one spelling belong to their object only.
func TestKeysHaveAnOwner(t *testing.T) {
	for _, n := range []int{1, 100} {
		var s keyset
		out := []byte(`"a"`)
		for i := range n {
			s.add(0, 3, int32(i), int32(i))
		}
		for i := range n {
			if e := s.find(out, int32(i), out, 0); e == nil || e.node != int32(i) {
				t.Errorf("owner %d of %d has %v", i, n, e)
			}
		}
		if e := s.find(out, int32(n), out, 0); e != nil {
			t.Errorf("a stranger of %d has %v", n, e)
		}
	}
}

// The comparisons that repeated keys cost grow with the keys, not with their
// square.
func TestKeysCostLinearWork(t *testing.T) {
	steps := func(n int) int {
		var s keyset
		var out []byte
		for i := range n {
			start := len(out)
			out = fmt.Appendf(out, "%d", i)
			if s.find(out, 0, out[start:], 0) != nil {
				t.Fatalf("key %d of %d is there already", i, n)
			}
			s.add(start, len(out), 0, -1)
		}
		return s.steps
	}
	if small, large := steps(5000), steps(20000); large > 6*small || large < 20000 || large > 200000 {
		t.Errorf("%d steps for 5000 keys, %d for 20000", small, large)
	}
}
